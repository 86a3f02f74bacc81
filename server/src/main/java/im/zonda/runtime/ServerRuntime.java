package im.zonda.runtime;

import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/// Source of time, randomness and threads of a server. The parts of the server share one; tests and
/// simulations replace it.
///
/// @param clock the time
/// @param scheduler runs timers; their tasks must not block
/// @param ids creates identifiers that cannot be guessed
/// @param random cryptographically strong and thread-safe
/// @param workers runs what may block, each task on a thread of its own
public record ServerRuntime(
    InstantSource clock,
    Scheduler scheduler,
    IdSource ids,
    RandomGenerator random,
    Executor workers) {}
