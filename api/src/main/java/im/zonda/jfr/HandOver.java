package im.zonda.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// Homes have left this node for another one of the cluster.
@Name("zonda.HandOver")
@Label("Hand-Over")
@Description("Homes have left this node for another one of the cluster.")
@Category("Zonda")
@StackTrace(false)
public final class HandOver extends Event {
  @Label("Segments")
  int segments;

  @Label("Parts")
  @Description("Parts of the state of homes")
  int parts;

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  private HandOver() {}

  /// Records one.
  ///
  /// @param parts of the state of homes, which the new node asks for
  /// @param nanos from the new placement until all was stored
  public static void record(int segments, int parts, long nanos) {
    HandOver event = new HandOver();
    if (event.isEnabled()) {
      event.segments = segments;
      event.parts = parts;
      event.took = nanos;
      event.commit();
    }
  }
}
