package im.zonda.home;

/// Something to do at a home. Runs in the home's mailbox with the home loaded.
///
/// @param <H> the type of home
@FunctionalInterface
public interface HomeTask<H> {
  /// Whether running it now may block. Called in the mailbox immediately before the task would run,
  /// because the task before it may change the answer; must not block itself.
  default boolean mayBlock(H home) {
    return false;
  }

  /// Does it.
  void run(H home);

  /// The home could not be loaded, [#run] threw, or there was no worker.
  default void failed(Throwable cause) {}

  /// The same task, for which blocking is allowed.
  static <H> HomeTask<H> blocking(HomeTask<H> task) {
    return new HomeTask<>() {
      @Override
      public boolean mayBlock(H home) {
        return true;
      }

      @Override
      public void run(H home) {
        task.run(home);
      }

      @Override
      public void failed(Throwable cause) {
        task.failed(cause);
      }
    };
  }
}
