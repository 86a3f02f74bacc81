package im.zonda.profile;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// Event with the number of stanzas that came in while a recording went on.
@Name(StanzaCount.NAME)
@Label("Stanza Count")
@Description("Stanzas that came in while the recording went on")
@jdk.jfr.Category("Zonda")
@StackTrace(false)
public final class StanzaCount extends Event {
  /// The name of the event.
  public static final String NAME = "zonda.StanzaCount";

  @Label("Stanzas")
  long stanzas;

  /// An event.
  public StanzaCount(long stanzas) {
    this.stanzas = stanzas;
  }
}
