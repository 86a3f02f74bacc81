package im.zonda.bench.load;

import java.time.Duration;

/// The needs of a load, which are printed before anything is started.
///
/// @param accounts how many accounts: `u0`, `u1`… of the domain, all with the same password
/// @param contacts how many contacts each account has on its roster, both ways
/// @param vcards whether each account has a vCard
/// @param sockets the most connections at a time
/// @param time about how long the run takes, from the first connection on
/// @param words what the load is, in one sentence with its numbers
public record Plan(
    int accounts, int contacts, boolean vcards, int sockets, Duration time, String words) {}
