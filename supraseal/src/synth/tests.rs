//! Both front-ends against a plain reading of what the provers of bellperson and groth16 do.

use crate::{Assignment, AssignmentParts, Error, Fr, bellman, bellpepper};
use blstrs::Scalar;
use ff::Field;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Var {
    Input(usize),
    Aux(usize),
}

type Terms = Vec<(i64, Var)>;

/// A circuit as data. Values need not satisfy it: synthesis doesn't look.
#[derive(Clone, Debug)]
struct Description {
    inputs: Vec<u64>,
    aux: Vec<u64>,
    constraints: Vec<[Terms; 3]>,
}

impl Description {
    fn random(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut below = |n: usize| rng.next_u32() as usize % n;
        // Few variables and coefficients, so that terms of one variable meet, repeat and cancel.
        let inputs: Vec<u64> = (0..below(4)).map(|_| below(3) as u64).collect();
        let aux: Vec<u64> = (0..below(70)).map(|_| below(4) as u64).collect();
        let length = below(12);
        let mut terms = || -> Terms {
            (0..below(6))
                .map(|_| {
                    let coefficient = [0, 1, -1, 2, -2, 7][below(6)];
                    let variable = match below(1 + inputs.len() + aux.len().min(8)) {
                        i if i <= inputs.len() => Var::Input(i),
                        i => Var::Aux((i - inputs.len() - 1) * aux.len() / 8 % aux.len()),
                    };
                    (coefficient, variable)
                })
                .collect()
        };
        let constraints = (0..=length).map(|_| [terms(), terms(), terms()]).collect();
        Description { inputs, aux, constraints }
    }

    fn value(&self, variable: Var) -> Scalar {
        match variable {
            Var::Input(0) => Scalar::ONE,
            Var::Input(i) => Scalar::from(self.inputs[i - 1]),
            Var::Aux(i) => Scalar::from(self.aux[i]),
        }
    }

    /// What the provers compute. bellpepper adds up the coefficients of a variable before it looks
    /// which are zero, bellman looks at each term.
    fn expected(&self, merge: bool) -> AssignmentParts {
        let mut parts = AssignmentParts::default();
        let mut present = [vec![], vec![]];
        let mut rows = [vec![], vec![], vec![]];
        for constraint in &self.constraints {
            for (column, terms) in constraint.iter().enumerate() {
                let terms = if merge { merged(terms) } else { terms.clone() };
                let sum: Scalar = terms.iter().map(|(k, v)| scalar(*k) * self.value(*v)).sum();
                rows[column].push(Fr::from(sum));
                if let Some(present) = present.get_mut(column) {
                    present.extend(terms.iter().filter(|(k, _)| *k != 0).map(|(_, v)| *v));
                }
            }
        }
        let inputs = (0..=self.inputs.len()).map(|i| Fr::from(self.value(Var::Input(i))));
        parts.inputs = inputs.collect();
        parts.aux = self.aux.iter().map(|value| Fr::from(Scalar::from(*value))).collect();
        let [a, b, c] = rows;
        let zeros = vec![Fr::ZERO; parts.inputs.len()];
        parts.a = [a, parts.inputs.clone()].concat();
        parts.b = [b, zeros.clone()].concat();
        parts.c = [c, zeros].concat();
        let [in_a, in_b] = present;
        parts.a_aux_density = (0..parts.aux.len()).map(|i| in_a.contains(&Var::Aux(i))).collect();
        parts.b_aux_density = (0..parts.aux.len()).map(|i| in_b.contains(&Var::Aux(i))).collect();
        parts.b_input_density =
            (0..parts.inputs.len()).map(|i| in_b.contains(&Var::Input(i))).collect();
        parts
    }
}

fn merged(terms: &Terms) -> Terms {
    let mut sums = BTreeMap::new();
    for (coefficient, variable) in terms {
        *sums.entry(*variable).or_insert(0) += coefficient;
    }
    sums.into_iter().map(|(variable, coefficient)| (coefficient, variable)).collect()
}

fn scalar(k: i64) -> Scalar {
    let magnitude = Scalar::from(k.unsigned_abs());
    if k < 0 { -magnitude } else { magnitude }
}

/// The same circuit for either ecosystem, whose traits have the same names.
macro_rules! circuit {
    ($ecosystem:ident, $scalar:ty) => {
        use super::{Description, Terms, Var};
        use $ecosystem::{
            Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable,
        };

        fn combination(
            terms: &Terms,
            start: LinearCombination<$scalar>,
        ) -> LinearCombination<$scalar> {
            terms.iter().fold(start, |sum, (k, variable)| {
                let variable = Variable::new_unchecked(match *variable {
                    Var::Input(index) => Index::Input(index),
                    Var::Aux(index) => Index::Aux(index),
                });
                let magnitude = <$scalar>::from(k.unsigned_abs());
                if *k < 0 { sum - (magnitude, variable) } else { sum + (magnitude, variable) }
            })
        }

        impl Circuit<$scalar> for Description {
            fn synthesize<CS: ConstraintSystem<$scalar>>(
                self,
                cs: &mut CS,
            ) -> Result<(), SynthesisError> {
                for value in &self.inputs {
                    cs.alloc_input(|| "input", || Ok(<$scalar>::from(*value)))?;
                }
                for value in &self.aux {
                    cs.alloc(|| "aux", || Ok(<$scalar>::from(*value)))?;
                }
                for [a, b, c] in &self.constraints {
                    cs.namespace(|| "a namespace").enforce(
                        || "constraint",
                        |start| combination(a, start),
                        |start| combination(b, start),
                        |start| combination(c, start),
                    );
                }
                Ok(())
            }
        }
    };
}

mod pepper {
    circuit!(bellpepper_core, blstrs::Scalar);
}

mod zcash {
    circuit!(bellman, bls12_381::Scalar);
}

/// Compares vectors, not shapes.
fn assert_same(assignment: &Assignment, expected: &AssignmentParts) {
    let parts = assignment.clone().into_parts();
    assert_eq!(parts.a, expected.a);
    assert_eq!(parts.b, expected.b);
    assert_eq!(parts.c, expected.c);
    assert_eq!(parts.inputs, expected.inputs);
    assert_eq!(parts.aux, expected.aux);
    for (density, expected) in [
        (&parts.a_aux_density, &expected.a_aux_density),
        (&parts.b_input_density, &expected.b_input_density),
        (&parts.b_aux_density, &expected.b_aux_density),
    ] {
        assert_eq!((density.words(), density.len()), (expected.words(), expected.len()));
    }
}

#[test]
fn assignments_are_those_of_the_provers() {
    let mut cancelled = 0;
    for seed in 0..100 {
        let description = Description::random(seed);
        let merged = description.expected(true);
        let apart = description.expected(false);
        cancelled += usize::from(
            merged.a_aux_density != apart.a_aux_density
                || merged.b_aux_density != apart.b_aux_density
                || merged.b_input_density != apart.b_input_density,
        );
        assert_same(&bellpepper::synthesize(description.clone()).expect("fills"), &merged);
        assert_same(&bellman::synthesize(description).expect("fills"), &apart);
    }
    assert!(cancelled > 5, "too few circuits tell the two rules apart: {cancelled}");
}

#[test]
fn variables_of_another_system_are_reported() {
    for (variable, kind, allocated) in [(Var::Input(9), "input", 2), (Var::Aux(3), "aux", 3)] {
        let mut description = Description { inputs: vec![1], aux: vec![1; 3], constraints: vec![] };
        description.constraints.push([vec![(1, Var::Input(1))], vec![], vec![]]);
        description.constraints.push([vec![], vec![(5, variable)], vec![]]);
        for result in
            [bellpepper::synthesize(description.clone()), bellman::synthesize(description.clone())]
        {
            match result {
                Err(Error::UnknownVariable { constraint: 1, kind: k, allocated: n, .. }) => {
                    assert_eq!((k, n), (kind, allocated));
                }
                other => panic!("{other:?}"),
            }
        }
        // With coefficient zero it is not looked at, in the provers either.
        description.constraints[1][1][0].0 = 0;
        bellman::synthesize(description.clone()).expect("not looked at");
        bellpepper::synthesize(description).expect("not looked at");
    }
}

#[test]
fn the_circuits_own_error_is_the_source() {
    struct Missing;
    impl bellpepper_core::Circuit<Scalar> for Missing {
        fn synthesize<CS: bellpepper_core::ConstraintSystem<Scalar>>(
            self,
            cs: &mut CS,
        ) -> Result<(), bellpepper_core::SynthesisError> {
            cs.alloc(|| "nothing", || Err(bellpepper_core::SynthesisError::AssignmentMissing))?;
            Ok(())
        }
    }
    let error = bellpepper::synthesize(Missing).expect_err("no value");
    let source = std::error::Error::source(&error).expect("a source");
    let source = source.downcast_ref::<bellpepper_core::SynthesisError>().expect("the circuit's");
    assert!(matches!(source, bellpepper_core::SynthesisError::AssignmentMissing));
}

/// Synthesises the parts of a circuit apart, and joins them.
struct InParts(Vec<Description>);

impl bellpepper_core::Circuit<Scalar> for InParts {
    fn synthesize<CS: bellpepper_core::ConstraintSystem<Scalar>>(
        self,
        cs: &mut CS,
    ) -> Result<(), bellpepper_core::SynthesisError> {
        assert!(CS::is_extensible());
        for part in self.0 {
            let mut apart = CS::new();
            apart.alloc_input(|| "ONE", || Ok(Scalar::ONE))?;
            bellpepper_core::Circuit::synthesize(part, &mut apart)?;
            cs.extend(&apart);
        }
        Ok(())
    }
}

#[test]
fn joined_parts_are_one_circuit() {
    let parts: Vec<_> = (0..5).map(Description::random).collect();
    let joined = bellpepper::synthesize(InParts(parts.clone())).expect("fills");
    let mut whole = Description { inputs: vec![], aux: vec![], constraints: vec![] };
    for part in parts {
        let (inputs, aux) = (whole.inputs.len(), whole.aux.len());
        let moved = |terms: &Terms| {
            let moved = |(k, variable): &(i64, Var)| match *variable {
                Var::Input(0) => (*k, Var::Input(0)),
                Var::Input(index) => (*k, Var::Input(inputs + index)),
                Var::Aux(index) => (*k, Var::Aux(aux + index)),
            };
            terms.iter().map(moved).collect()
        };
        whole.constraints.extend(part.constraints.iter().map(|c| c.each_ref().map(moved)));
        whole.inputs.extend(part.inputs);
        whole.aux.extend(part.aux);
    }
    assert_same(&joined, &whole.expected(true));
}
