//! Which variables have a point in a query.

use crate::{Error, Result};
use std::fmt;

const WORD: usize = u64::BITS as usize;

/// One bit for each variable: whether it has a point in a query of the key.
///
/// Bit `i` is bit `i % 64` of word `i / 64`. Bits beyond the length are 0.
///
/// ```
/// let density: supraseal::Density = [true, false, true].into_iter().collect();
/// assert_eq!((density.len(), density.count(), density.words()), (3, 2, &[0b101][..]));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Density {
    words: Vec<u64>,
    bits: usize,
}

impl Density {
    /// `bits` bits, in the words that hold them.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] when the words are not exactly those that `bits` bits need, or when a bit
    /// beyond them is set.
    pub fn from_words(words: Vec<u64>, bits: usize) -> Result<Self> {
        if words.len() != bits.div_ceil(WORD) {
            return Err(Error::shape("words of a density", bits.div_ceil(WORD), words.len()));
        }
        let stray = match (words.last(), bits % WORD) {
            (Some(last), used @ 1..) => last >> used,
            _ => 0,
        };
        if stray != 0 {
            let stray = stray.count_ones() as usize;
            return Err(Error::shape("bits set beyond the length of a density", 0, stray));
        }
        Ok(Density { words, bits })
    }

    /// How many variables it covers.
    pub fn len(&self) -> usize {
        self.bits
    }

    /// Whether it covers no variables.
    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// How many of the variables have a point.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether variable `index` has a point; `false` beyond the length.
    pub fn get(&self, index: usize) -> bool {
        self.words.get(index / WORD).is_some_and(|word| (word >> (index % WORD)) & 1 == 1)
    }

    /// The bits.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds a variable.
    pub(crate) fn push(&mut self, present: bool) {
        let bit = self.bits % WORD;
        match self.words.last_mut() {
            Some(last) if bit != 0 => *last |= u64::from(present) << bit,
            _ => self.words.push(u64::from(present)),
        }
        self.bits += 1;
    }

    /// Gives a variable below the length a point.
    #[cfg(any(feature = "bellpepper", feature = "bellman"))]
    #[inline]
    pub(crate) fn set(&mut self, index: usize) {
        debug_assert!(index < self.bits);
        if let Some(word) = self.words.get_mut(index / WORD) {
            *word |= 1 << (index % WORD);
        }
    }

    /// Adds the variables of `other` from `skip` on.
    #[cfg(any(test, feature = "bellpepper"))]
    pub(crate) fn extend_from(&mut self, other: &Density, skip: usize) {
        if skip == 0 && self.bits.is_multiple_of(WORD) {
            self.words.extend_from_slice(&other.words);
            self.bits += other.bits;
        } else {
            (skip..other.bits).for_each(|index| self.push(other.get(index)));
        }
    }
}

impl FromIterator<bool> for Density {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Self {
        let mut density = Density::default();
        bits.into_iter().for_each(|bit| density.push(bit));
        density
    }
}

// The bits may be millions.
impl fmt::Debug for Density {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Density({} of {})", self.count(), self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_end_up_where_documented() {
        for length in [0, 1, 63, 64, 65, 128, 200] {
            let density: Density = (0..length).map(|i| i % 3 == 0).collect();
            assert_eq!(density.len(), length);
            assert_eq!(density.count(), length.div_ceil(3));
            assert!((0..length).all(|i| density.get(i) == (i % 3 == 0)));
            let same = Density::from_words(density.words().to_vec(), length).expect("valid");
            assert_eq!(same, density);
        }
    }

    #[test]
    fn concatenation_is_that_of_the_bits() {
        for (left, right, skip) in [(0, 70, 0), (64, 70, 0), (3, 130, 0), (5, 65, 1), (64, 64, 1)] {
            let bit = |i: usize| i % 5 == 1 || i % 7 == 3;
            let mut density: Density = (0..left).map(bit).collect();
            density.extend_from(&(0..right).map(bit).collect(), skip);
            let expected: Density = (0..left).chain(skip..right).map(bit).collect();
            assert_eq!(density, expected);
        }
    }

    #[test]
    fn wrong_words_are_refused() {
        for (words, bits) in [(vec![], 1), (vec![0], 0), (vec![0, 0], 64), (vec![2], 1)] {
            assert!(matches!(Density::from_words(words, bits), Err(Error::Shape { .. })));
        }
    }
}
