package im.zonda.hook;

/// The order in which the filters of a hook point run.
public enum Phase {
  REFUSE(0),
  REWRITE(1),
  RECORD(2),
  COPY(3);

  private final int order;

  Phase(int order) {
    this.order = order;
  }

  /// The place in the order: filters of lower ones run first.
  public int order() {
    return order;
  }
}
