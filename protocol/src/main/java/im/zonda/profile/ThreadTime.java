package im.zonda.profile;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// Event with the CPU time that threads of one kind took while a recording went on, as the kernel
/// has counted it. Samples are of threads of Java only.
@Name(ThreadTime.NAME)
@Label("Thread Time")
@Description("CPU time of threads of one kind while the recording went on")
@jdk.jfr.Category("Zonda")
@StackTrace(false)
public final class ThreadTime extends Event {
  /// The name of the event.
  public static final String NAME = "zonda.ThreadTime";

  @Label("Kind")
  String kind;

  @Label("CPU Time")
  @Timespan(Timespan.NANOSECONDS)
  long time;

  /// An event.
  public ThreadTime(ThreadKind kind, long nanos) {
    this.kind = kind.name();
    this.time = nanos;
  }
}
