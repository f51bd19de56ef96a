//! A parameter file with names for its places.

use supraseal::Section;

/// A section of a file: its points begin at `start`, after a count if `counted`.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub section: Section,
    pub counted: bool,
    pub start: usize,
    pub points: usize,
    pub point: usize,
}

impl Place {
    pub fn end(&self) -> usize {
        self.start + self.points * self.point
    }
}

const G1: usize = 96;
const G2: usize = 192;

/// Where each section of a well-formed file lies.
pub fn places(file: &[u8]) -> Vec<Place> {
    let sections = [
        (Section::AlphaG1, G1, false),
        (Section::BetaG1, G1, false),
        (Section::BetaG2, G2, false),
        (Section::GammaG2, G2, false),
        (Section::DeltaG1, G1, false),
        (Section::DeltaG2, G2, false),
        (Section::Ic, G1, true),
        (Section::H, G1, true),
        (Section::L, G1, true),
        (Section::A, G1, true),
        (Section::BG1, G1, true),
        (Section::BG2, G2, true),
    ];
    let mut offset = 0;
    let mut places = Vec::new();
    for (section, point, counted) in sections {
        let points = if counted {
            let count = file[offset..offset + 4].try_into().expect("four bytes");
            offset += 4;
            u32::from_be_bytes(count) as usize
        } else {
            1
        };
        places.push(Place { section, counted, start: offset, points, point });
        offset += points * point;
    }
    assert_eq!(offset, file.len(), "the file ends with its last section");
    places
}
