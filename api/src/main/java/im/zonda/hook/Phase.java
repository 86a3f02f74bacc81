package im.zonda.hook;

/// The order in which the filters of a hook point run.
public enum Phase {
  REFUSE,
  REWRITE,
  RECORD,
  COPY
}
