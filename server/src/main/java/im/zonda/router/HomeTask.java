package im.zonda.router;

/// What is to be done at a home. It runs in the home's mailbox with the home loaded.
interface HomeTask {
  /// Does it.
  void run(AccountHome home);

  /// It could not be done, or not to its end: the home could not be loaded, or [#run] threw.
  default void failed(Throwable cause) {}
}
