#include "prover/prover.h"
namespace supraseal {
std::vector<Proof> prove(const ThreadPool&, const Srs&, const std::vector<Circuit>&, Timeline&) { return {}; }
}
