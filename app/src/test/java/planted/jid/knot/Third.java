package planted.jid.knot;

/// Depends on a knot and is not in it.
public record Third(First first) {}
