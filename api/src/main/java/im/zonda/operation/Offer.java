package im.zonda.operation;

/// An operation with what it does, at one host or at the server.
public record Offer<I extends Record, R extends Record>(
    Operation<I, R> operation, Action<I, R> action) {}
