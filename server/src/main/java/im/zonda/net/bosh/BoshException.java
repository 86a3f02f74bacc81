package im.zonda.net.bosh;

/// A request that no session answers.
final class BoshException extends Exception {
  private static final long serialVersionUID = 1;

  private final BoshCondition condition;

  BoshException(BoshCondition condition) {
    super(condition.attribute());
    this.condition = condition;
  }

  BoshCondition condition() {
    return condition;
  }
}
