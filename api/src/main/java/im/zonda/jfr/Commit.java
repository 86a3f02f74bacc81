package im.zonda.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A transaction of the message log was committed.
@Name("zonda.Commit")
@Label("Commit")
@Description("A transaction of the message log was committed.")
@Category("Zonda")
@StackTrace(false)
public final class Commit extends Event {
  @Label("Operations")
  int operations;

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  private Commit() {}

  /// Records one.
  ///
  /// @param operations how many it had
  /// @param nanos from its first statement to the end
  public static void record(int operations, long nanos) {
    Commit event = new Commit();
    if (event.isEnabled()) {
      event.operations = operations;
      event.took = nanos;
      event.commit();
    }
  }
}
