package im.zonda.net.loop;

import java.time.Duration;

/// Figures of one event loop: its work since the start, and what waits for it.
///
/// @param loop its number, from 1 on
/// @param connections open connections of streams
/// @param events events of connections since the start, such as bytes that can be read
/// @param busy how long it has worked since the start; the rest of the time it waited
/// @param tasks tasks that wait for it
/// @param longest its longest turn in the last minute: what it did between two waits, in which the
///   other connections of the loop had to wait
public record LoopFigures(
    int loop, long connections, long events, Duration busy, int tasks, Duration longest) {}
