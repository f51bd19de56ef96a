//! The only `#[cxx::bridge]`. Every item says who allocates and how long it lives.

#[cxx::bridge(namespace = "supraseal")]
pub(crate) mod ffi {
    /// A synthesised circuit's assignment. Rust owns every slice; C++ reads them until the call
    /// returns.
    struct RawWitness<'a> {
        inputs: &'a [Fr],
        aux: &'a [Fr],
        a_aux_density: &'a [u64],
        b_input_density: &'a [u64],
        b_aux_density: &'a [u64],
        r: Fr,
        s: Fr,
    }

    /// A proof's three points, by value.
    struct RawProof {
        a: G1Affine,
        b: G2Affine,
        c: G1Affine,
    }

    /// One record of the timeline, by value. `kind` is `PhaseKind` of `cpp/core/timeline.h`.
    struct RawPhase {
        kind: u8,
        start_ns: u64,
        end_ns: u64,
        bytes: u64,
        threads: u32,
    }

    /// Bytes and counts of a block pool.
    struct RawBlockFigures {
        limit: u64,
        held: u64,
        idle: u64,
        reused: u64,
        mapped: u64,
    }

    /// The counts that a proof's need of memory follows from.
    struct RawProofShape {
        constraints: u64,
        inputs: u64,
        aux: u64,
        in_a: u64,
        in_b: u64,
    }

    struct RawVerifyingKey {
        alpha_g1: G1Affine,
        beta_g1: G1Affine,
        beta_g2: G2Affine,
        gamma_g2: G2Affine,
        delta_g1: G1Affine,
        delta_g2: G2Affine,
    }

    struct RawSrsCounts {
        ic: usize,
        h: usize,
        l: usize,
        a: usize,
        b_g1: usize,
        b_g2: usize,
    }

    struct BuildInfo {
        needs_adx: bool,
        cpu_has_adx: bool,
        cpu_has_ifma: bool,
    }

    unsafe extern "C++" {
        include!("bridge/bridge.h");

        type Fr = crate::Fr;
        type G1Affine = crate::G1Affine;
        type G2Affine = crate::G2Affine;

        /// Threads owned by C++, joined when the pointer is dropped.
        type ThreadPool;
        fn new_thread_pool(threads: usize, cpus: &[u32]) -> Result<UniquePtr<ThreadPool>>;
        fn thread_pool_size(pool: &ThreadPool) -> usize;

        /// A proving key owned by C++, immutable, shared by reference count.
        type Srs;
        /// `descriptor` stays open and the caller's for the length of the call.
        fn load_srs_file(
            pool: &ThreadPool,
            descriptor: i32,
            size: u64,
            subgroup_checks: bool,
        ) -> Result<SharedPtr<Srs>>;
        fn load_srs_bytes(
            pool: &ThreadPool,
            bytes: &[u8],
            subgroup_checks: bool,
        ) -> Result<SharedPtr<Srs>>;
        fn srs_counts(srs: &Srs) -> RawSrsCounts;
        fn srs_verifying_key(srs: &Srs) -> RawVerifyingKey;
        fn srs_ic(srs: &Srs) -> &[G1Affine];

        /// Blocks of memory owned by C++, shared by reference count; any thread may use it.
        type BlockPool;
        fn new_block_pool(limit: u64) -> Result<SharedPtr<BlockPool>>;
        /// The block is the caller's until it is given back, once.
        unsafe fn take_block(pool: SharedPtr<BlockPool>, bytes: usize) -> Result<*mut u8>;
        unsafe fn give_block(pool: SharedPtr<BlockPool>, block: *mut u8);
        /// `block` is one that was taken, and not given back; it is looked up, not read.
        unsafe fn block_size(pool: SharedPtr<BlockPool>, block: *mut u8) -> usize;
        fn raise_block_limit(pool: SharedPtr<BlockPool>, bytes: u64);
        fn lower_block_limit(pool: SharedPtr<BlockPool>, bytes: u64);
        fn trim_blocks(pool: SharedPtr<BlockPool>, bytes: u64) -> u64;
        fn wipe_idle_blocks(pool: SharedPtr<BlockPool>);
        fn block_figures(pool: SharedPtr<BlockPool>) -> RawBlockFigures;

        fn evaluation_scratch(shape: &RawProofShape, threads: usize) -> u64;
        fn witness_scratch(shape: &RawProofShape, threads: usize) -> u64;

        /// What computes, owned by C++, immutable.
        type Backend;
        fn new_cpu_backend(portable: bool) -> Result<UniquePtr<Backend>>;

        /// The coefficients of H, owned by C++; it keeps the pool they lie in.
        type Quotient;
        /// Appends to `phases` what took how long.
        fn compute_quotient(
            pool: &ThreadPool,
            memory: SharedPtr<BlockPool>,
            backend: &Backend,
            a: &[Fr],
            b: &[Fr],
            c: &[Fr],
            phases: &mut Vec<RawPhase>,
        ) -> Result<UniquePtr<Quotient>>;
        fn quotient_bytes(quotient: &Quotient) -> usize;
        fn prove_witness(
            pool: &ThreadPool,
            memory: SharedPtr<BlockPool>,
            backend: &Backend,
            srs: &Srs,
            quotient: &Quotient,
            witness: &RawWitness,
            phases: &mut Vec<RawPhase>,
        ) -> Result<RawProof>;

        fn build_info() -> BuildInfo;
    }
}
