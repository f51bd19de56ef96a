//! Page-aligned memory that is kept for the next user, and vectors in it.

use crate::{Error, Fr, bridge::ffi};
use cxx::SharedPtr;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// A pool of large blocks of memory. The prover's working memory and every [`HostVec`] are taken from
/// one, and given back to it for reuse, within a limit. Cloning shares it.
#[derive(Clone)]
pub struct HostMemory(SharedPtr<ffi::BlockPool>);

// SAFETY: the C++ BlockPool does everything under its own mutex, and std::shared_ptr counts atomically.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

/// Bytes and counts of a [`HostMemory`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostMemoryFigures {
    /// Bytes it may hold.
    pub limit: u64,
    /// Bytes it has from the system.
    pub held: u64,
    /// Of these, those that nobody uses.
    pub idle: u64,
    /// Blocks taken that were there.
    pub reused: u64,
    /// Blocks taken that the system had to give.
    pub mapped: u64,
}

impl HostMemory {
    /// An empty pool that may hold up to `limit` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`].
    pub fn new(limit: u64) -> Result<Self, Error> {
        Ok(HostMemory(ffi::new_block_pool(limit)?))
    }

    /// Adds to the limit.
    pub fn raise_limit(&self, bytes: u64) {
        ffi::raise_block_limit(self.raw(), bytes);
    }

    /// Takes from the limit. Idle blocks go back to the system until it is met; blocks in use do when
    /// they are given back.
    pub fn lower_limit(&self, bytes: u64) {
        ffi::lower_block_limit(self.raw(), bytes);
    }

    /// Sends idle blocks of `bytes` in all, or all there are, back to the system; returns their bytes.
    pub fn trim(&self, bytes: u64) -> u64 {
        ffi::trim_blocks(self.raw(), bytes)
    }

    /// Overwrites idle blocks with zeros, for those whose witnesses must not linger.
    pub fn wipe_idle(&self) {
        ffi::wipe_idle_blocks(self.raw());
    }

    /// Bytes and counts now.
    pub fn figures(&self) -> HostMemoryFigures {
        let raw = ffi::block_figures(self.raw());
        HostMemoryFigures {
            limit: raw.limit,
            held: raw.held,
            idle: raw.idle,
            reused: raw.reused,
            mapped: raw.mapped,
        }
    }

    pub(crate) fn raw(&self) -> SharedPtr<ffi::BlockPool> {
        self.0.clone()
    }
}

impl std::fmt::Debug for HostMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.figures().fmt(f)
    }
}

mod sealed {
    pub trait Pod: Copy + Send + Sync + 'static {}
    impl Pod for crate::Fr {}
    impl Pod for u64 {}
}

/// What a [`HostVec`] may hold: values without destructors, for which any bytes are valid.
pub trait Pod: sealed::Pod {}
impl Pod for Fr {}
impl Pod for u64 {}

/// A growable vector in a [`HostMemory`], in whole pages.
///
/// Growing is explicit, so that it can fail: [`push`](HostVec::push) within the capacity is a store and
/// nothing else.
pub struct HostVec<T: Pod> {
    memory: HostMemory,
    // None while nothing is allocated.
    block: Option<NonNull<T>>,
    len: usize,
    capacity: usize,
}

// SAFETY: it owns its block alone, and T is Send.
unsafe impl<T: Pod> Send for HostVec<T> {}
// SAFETY: shared references give shared access to a T that is Sync.
unsafe impl<T: Pod> Sync for HostVec<T> {}

impl<T: Pod> HostVec<T> {
    /// An empty vector without memory.
    pub fn new(memory: &HostMemory) -> Self {
        HostVec { memory: memory.clone(), block: None, len: 0, capacity: 0 }
    }

    /// An empty vector with room for `capacity` elements at least.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`] when the pool's limit, or the system, has no room.
    pub fn with_capacity(memory: &HostMemory, capacity: usize) -> Result<Self, Error> {
        let mut vector = HostVec::new(memory);
        vector.reserve(capacity)?;
        Ok(vector)
    }

    /// Elements there is room for.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Makes room for `additional` more elements; if there is none yet, for half as many again as there
    /// are at least. Elements may move.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`]; the vector is as it was.
    pub fn reserve(&mut self, additional: usize) -> Result<(), Error> {
        let too_large = Error::Memory { bytes: u64::MAX };
        let needed = self.len.checked_add(additional).ok_or(too_large.clone())?;
        if needed <= self.capacity {
            return Ok(());
        }
        let wanted = needed.max(self.capacity + self.capacity / 2);
        let bytes = wanted.checked_mul(size_of::<T>()).ok_or(too_large)?;
        // SAFETY: the block is given back once, by drop or by the next reserve.
        let block = unsafe { ffi::take_block(self.memory.raw(), bytes) }?;
        // SAFETY: the block was just taken.
        let size = unsafe { ffi::block_size(self.memory.raw(), block) };
        let block = NonNull::new(block.cast::<T>()).ok_or(Error::Memory { bytes: bytes as u64 })?;
        if let Some(old) = self.block {
            // SAFETY: `len` elements are initialised in the old block and fit the new one, which is
            // another piece of memory; pages are aligned enough for T.
            unsafe { std::ptr::copy_nonoverlapping(old.as_ptr(), block.as_ptr(), self.len) };
        }
        self.give_back();
        self.block = Some(block);
        self.capacity = size / size_of::<T>();
        Ok(())
    }

    /// Appends `value` if there is room for it, else returns it.
    ///
    /// # Errors
    ///
    /// `value`, when the vector is full: [`reserve`](HostVec::reserve), and push again.
    #[inline]
    pub fn push(&mut self, value: T) -> Result<(), T> {
        match self.block {
            Some(block) if self.len < self.capacity => {
                // SAFETY: below the capacity, so within the block, which is ours alone.
                unsafe { block.as_ptr().add(self.len).write(value) };
                self.len += 1;
                Ok(())
            }
            _ => Err(value),
        }
    }

    /// Appends a copy of `values`.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`]; the vector is as it was.
    pub fn extend_from_slice(&mut self, values: &[T]) -> Result<(), Error> {
        self.reserve(values.len())?;
        if let Some(block) = self.block {
            // SAFETY: room for them was made; `values` is borrowed, so it is not this block's memory.
            unsafe {
                let end = block.as_ptr().add(self.len);
                std::ptr::copy_nonoverlapping(values.as_ptr(), end, values.len());
            }
            self.len += values.len();
        }
        Ok(())
    }

    /// Appends `count` copies of `value`.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`]; the vector is as it was.
    pub fn extend_with(&mut self, value: T, count: usize) -> Result<(), Error> {
        self.reserve(count)?;
        for _ in 0..count {
            // Room was made.
            let _ = self.push(value);
        }
        Ok(())
    }

    /// Forgets the elements and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    fn give_back(&mut self) {
        if let Some(block) = self.block.take() {
            // SAFETY: the block came from this pool and is given back here only, as `block` is now
            // None.
            unsafe { ffi::give_block(self.memory.raw(), block.as_ptr().cast::<u8>()) };
        }
    }
}

impl<T: Pod> Drop for HostVec<T> {
    fn drop(&mut self) {
        self.give_back();
    }
}

impl<T: Pod> Deref for HostVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self.block {
            // SAFETY: the first `len` elements are initialised, and borrowed with the vector.
            Some(block) => unsafe { std::slice::from_raw_parts(block.as_ptr(), self.len) },
            None => &[],
        }
    }
}

impl<T: Pod> DerefMut for HostVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self.block {
            // SAFETY: as for `deref`, and the vector is borrowed mutably.
            Some(block) => unsafe { std::slice::from_raw_parts_mut(block.as_ptr(), self.len) },
            None => &mut [],
        }
    }
}

impl<T: Pod> std::fmt::Debug for HostVec<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No elements: they may be a witness.
        f.debug_struct("HostVec")
            .field("len", &self.len)
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

/// The counts that a proof's need of memory follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofShape {
    /// Constraints, those of the inputs included.
    pub constraints: u64,
    /// Public inputs, ONE included.
    pub inputs: u64,
    /// Private variables.
    pub aux: u64,
    /// Variables in A.
    pub in_a: u64,
    /// Variables in B.
    pub in_b: u64,
}

impl ProofShape {
    fn raw(self) -> ffi::RawProofShape {
        let ProofShape { constraints, inputs, aux, in_a, in_b } = self;
        ffi::RawProofShape { constraints, inputs, aux, in_a, in_b }
    }

    /// Bytes of a [`HostMemory`] that [`quotient`](crate::quotient) uses at most.
    pub fn evaluation_scratch(self, threads: usize) -> u64 {
        ffi::evaluation_scratch(&self.raw(), threads)
    }

    /// Bytes of a [`HostMemory`] that [`prove`](crate::prove) uses at most, H included.
    pub fn witness_scratch(self, threads: usize) -> u64 {
        ffi::witness_scratch(&self.raw(), threads)
    }
}
