//! Generated circuits of every shape.

use bellpepper_core::{Circuit, ConstraintSystem, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar;
use ff::Field;
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// The values that a circuit's variables take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Zero.
    Zero,
    /// One.
    One,
    /// Nine in ten are zero or one, as in most circuits.
    Bits,
    /// Below 2^16, or the negative of such a number.
    Small,
    /// Anything.
    Dense,
}

/// A circuit to be generated: everything follows from these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Constraints before those that bind unused variables.
    pub constraints: usize,
    /// Public inputs, without ONE.
    pub inputs: usize,
    /// Private variables.
    pub aux: usize,
    /// What the variables' values are.
    pub values: Values,
    /// One in so many variables occurs in C only, which gives it a point in no query but L.
    pub unused: usize,
    /// Of everything else.
    pub seed: u64,
}

/// Circuits of `constraints` constraints at most.
pub fn specs(constraints: usize) -> impl Strategy<Value = Spec> {
    let values = prop_oneof![
        1 => Just(Values::Zero),
        1 => Just(Values::One),
        3 => Just(Values::Bits),
        1 => Just(Values::Small),
        2 => Just(Values::Dense),
    ];
    // Small ones matter most: their shapes are the odd ones.
    let size = prop_oneof![1..=1usize, 1..=20usize, 1..=constraints];
    let aux = prop_oneof![1 => Just(0usize), 1 => 1..=3usize, 4 => 1..=constraints];
    (size, 0..=20usize, aux, values, 2..=10usize, any::<u64>()).prop_map(
        |(constraints, inputs, aux, values, unused, seed)| Spec {
            constraints,
            inputs,
            aux,
            values,
            unused,
            seed,
        },
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    One,
    Input(usize),
    Aux(usize),
}

type Terms = Vec<(Place, Scalar)>;

/// A circuit with a witness that satisfies it.
#[derive(Clone, Debug)]
pub struct Generated {
    inputs: Vec<Scalar>,
    aux: Vec<Scalar>,
    constraints: Vec<[Terms; 3]>,
}

impl Generated {
    /// The circuit of `spec`.
    pub fn new(spec: Spec) -> Self {
        let mut rng = StdRng::seed_from_u64(spec.seed);
        let mut values = |count| (0..count).map(|_| value(spec.values, &mut rng)).collect();
        let (inputs, aux) = (values(spec.inputs), values(spec.aux));
        let mut circuit = Generated { inputs, aux, constraints: Vec::new() };
        let usable: Vec<Place> = std::iter::once(Place::One)
            .chain((0..spec.inputs).map(Place::Input))
            .chain((0..spec.aux).filter(|i| i % spec.unused != 0).map(Place::Aux))
            .collect();
        for _ in 0..spec.constraints {
            let a = combination(&usable, &mut rng);
            let b = combination(&usable, &mut rng);
            let product = circuit.evaluate(&a) * circuit.evaluate(&b);
            let c = circuit.combination_of(product, &usable, &mut rng);
            circuit.constraints.push([a, b, c]);
        }
        circuit.bind_the_rest(spec, &mut rng);
        circuit
    }

    /// The public inputs, without ONE.
    pub fn public_inputs(&self) -> &[Scalar] {
        &self.inputs
    }

    /// The same circuit with another value of a private variable, or of an input if there is none.
    /// The witness then satisfies few of the constraints.
    #[must_use]
    pub fn with_wrong_witness(mut self) -> Self {
        match self.aux.first_mut().or(self.inputs.first_mut()) {
            Some(value) => *value += Scalar::from(3),
            // Without variables only the constants are left to be wrong.
            None => {
                for [_, _, c] in &mut self.constraints {
                    c.push((Place::One, Scalar::ONE));
                }
            }
        }
        self
    }

    // Parameters exist only for circuits in which every private variable occurs. As `0 * 0 = k * x`
    // with the value of x taken away again, it does without entering A or B.
    fn bind_the_rest(&mut self, spec: Spec, rng: &mut StdRng) {
        let mut seen = vec![false; spec.aux];
        for terms in self.constraints.iter().flatten() {
            for (place, _) in terms {
                // Coefficients may cancel each other.
                let of_place = terms.iter().filter(|(other, _)| other == place);
                if let Place::Aux(i) = place
                    && of_place.map(|(_, k)| k).sum::<Scalar>() != Scalar::ZERO
                {
                    seen[*i] = true;
                }
            }
        }
        for i in (0..spec.aux).filter(|i| !seen[*i]) {
            let k = Scalar::random(&mut *rng);
            let c = vec![(Place::Aux(i), k), (Place::One, -k * self.aux[i])];
            self.constraints.push([vec![], vec![], c]);
        }
    }

    fn evaluate(&self, terms: &Terms) -> Scalar {
        terms.iter().map(|(place, k)| *k * self.value(*place)).sum()
    }

    fn value(&self, place: Place) -> Scalar {
        match place {
            Place::One => Scalar::ONE,
            Place::Input(i) => self.inputs[i],
            Place::Aux(i) => self.aux[i],
        }
    }

    /// Some combination of that value.
    fn combination_of(&self, value: Scalar, usable: &[Place], rng: &mut StdRng) -> Terms {
        let mut terms = combination(usable, rng);
        let rest = value - self.evaluate(&terms);
        let place = usable[rng.gen_range(0..usable.len())];
        let inverse = self.value(place).invert();
        if bool::from(inverse.is_some()) {
            terms.push((place, rest * inverse.unwrap_or(Scalar::ZERO)));
        } else {
            terms.push((Place::One, rest));
        }
        terms
    }
}

fn value(values: Values, rng: &mut StdRng) -> Scalar {
    let small = |rng: &mut StdRng| Scalar::from(rng.gen_range(0..1u64 << 16));
    match values {
        Values::Zero => Scalar::ZERO,
        Values::One => Scalar::ONE,
        Values::Bits if rng.gen_range(0..10) != 0 => Scalar::from(rng.gen_range(0..2u64)),
        Values::Small if rng.r#gen() => small(rng),
        Values::Small => -small(rng),
        Values::Bits | Values::Dense => Scalar::random(rng),
    }
}

/// Up to four terms, with coefficients that provers treat apart: zero, 1 and -1; sometimes of the
/// same variable.
fn combination(usable: &[Place], rng: &mut StdRng) -> Terms {
    let mut terms = Terms::new();
    for _ in 0..rng.gen_range(0..=4) {
        let coefficient = match rng.gen_range(0..6) {
            0 => Scalar::ZERO,
            1 | 2 => Scalar::ONE,
            3 => -Scalar::ONE,
            _ => Scalar::random(&mut *rng),
        };
        let place = usable[rng.gen_range(0..usable.len())];
        terms.push((place, coefficient));
        if rng.gen_range(0..8) == 0 {
            terms.push((place, Scalar::random(&mut *rng)));
        }
    }
    terms
}

impl Circuit<Scalar> for Generated {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for value in &self.inputs {
            inputs.push(cs.alloc_input(|| "", || Ok(*value))?);
        }
        let mut aux = Vec::with_capacity(self.aux.len());
        for value in &self.aux {
            aux.push(cs.alloc(|| "", || Ok(*value))?);
        }
        let variable = |place| match place {
            Place::One => CS::one(),
            Place::Input(i) => inputs[i],
            Place::Aux(i) => aux[i],
        };
        let add = |zero: LinearCombination<Scalar>, terms: &Terms| {
            terms.iter().fold(zero, |sum, (place, k)| {
                let variable: Variable = variable(*place);
                sum + (*k, variable)
            })
        };
        for [a, b, c] in &self.constraints {
            cs.enforce(|| "", |zero| add(zero, a), |zero| add(zero, b), |zero| add(zero, c));
        }
        Ok(())
    }
}
