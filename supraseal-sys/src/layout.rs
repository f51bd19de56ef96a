//! The twin of the `static_assert`s in `cpp/core/types.h`: sizes and alignments that both sides of
//! the bridge rely on.

use crate::{Fr, G1Affine, G2Affine};
use std::mem::{align_of, size_of};

const _: () = assert!(size_of::<Fr>() == 32 && align_of::<Fr>() == 8);
const _: () = assert!(size_of::<G1Affine>() == 96 && align_of::<G1Affine>() == 8);
const _: () = assert!(size_of::<G2Affine>() == 192 && align_of::<G2Affine>() == 8);
const _: () = assert!(size_of::<blstrs::Scalar>() == size_of::<Fr>());
const _: () = assert!(align_of::<blstrs::Scalar>() == align_of::<Fr>());
const _: () = assert!(size_of::<usize>() == 8, "supraseal supports 64-bit targets only");
