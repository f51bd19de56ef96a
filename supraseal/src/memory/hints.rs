//! What a circuit needed last time.

use crate::Shape;
use crate::sync::{Mutex, lock};
use std::collections::HashMap;

/// Lengths of an assignment's vectors, and the shape they came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    pub(crate) shape: Shape,
}

/// The largest shape seen of each kind of circuit.
#[derive(Debug, Default)]
pub(crate) struct HintTable(Mutex<HashMap<&'static str, Hint>>);

impl HintTable {
    pub(crate) fn get(&self, circuit: &'static str) -> Option<Hint> {
        lock(&self.0).get(circuit).copied()
    }

    /// Learns from a run; the table keeps the largest of each count.
    pub(crate) fn learn(&self, circuit: &'static str, shape: Shape) {
        let mut table = lock(&self.0);
        let hint = table.entry(circuit).or_insert(Hint { shape });
        let known = &mut hint.shape;
        known.constraints = known.constraints.max(shape.constraints);
        known.inputs = known.inputs.max(shape.inputs);
        known.aux = known.aux.max(shape.aux);
        known.a_aux = known.a_aux.max(shape.a_aux);
        known.b_inputs = known.b_inputs.max(shape.b_inputs);
        known.b_aux = known.b_aux.max(shape.b_aux);
    }
}
