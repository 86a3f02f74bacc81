package im.zonda.app.recording;

import im.zonda.jfr.Commit;
import im.zonda.jfr.HandOver;
import im.zonda.jfr.Login;
import im.zonda.jfr.MailboxWait;
import im.zonda.jfr.StanzaSlow;
import im.zonda.jfr.StreamOpened;
import im.zonda.jfr.TlsHandshake;
import im.zonda.profile.RecordingSettings;
import im.zonda.profile.StanzaCount;
import im.zonda.profile.ThreadTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/// The events of a recording: [RecordingSettings#USUAL], and those of the server itself. None has
/// properties, the environment, arguments, other processes, addresses of peers, names of files or
/// messages of exceptions.
final class RecordedEvents {
  /// The prefix of the server's own events.
  private static final String OWN = "zonda.";

  /// The server's own events.
  private static final List<Class<? extends Event>> OWN_EVENTS =
      List.of(
          Commit.class,
          HandOver.class,
          Login.class,
          MailboxWait.class,
          StanzaCount.class,
          StanzaSlow.class,
          StreamOpened.class,
          ThreadTime.class,
          TlsHandshake.class);

  private RecordedEvents() {}

  /// Enables them for a recording.
  static void enableIn(Recording recording) {
    Set<String> known =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .map(EventType::getName)
            .collect(Collectors.toSet());
    RecordingSettings.USUAL.forEach((name, settings) -> enable(recording, name, settings));
    if (!known.contains(RecordingSettings.CPU_SAMPLE)
        || !System.getProperty("os.name").equals("Linux")) {
      RecordingSettings.ELSEWHERE.forEach((name, settings) -> enable(recording, name, settings));
    }
    OWN_EVENTS.forEach(recording::enable);
  }

  private static void enable(Recording recording, String name, Map<String, String> settings) {
    var enabled = recording.enable(name).withoutStackTrace();
    settings.forEach(enabled::with);
  }

  /// Whether a recording may have events of that name: others are in it if someone else records at
  /// the same time.
  static boolean mayHave(String name) {
    return RecordingSettings.USUAL.containsKey(name)
        || RecordingSettings.ELSEWHERE.containsKey(name)
        || name.startsWith(OWN);
  }
}
