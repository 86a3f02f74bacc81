package im.zonda.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerEventsTest {
  private static final List<Class<? extends Event>> EVENTS =
      List.of(
          Commit.class,
          HandOver.class,
          Login.class,
          MailboxWait.class,
          StanzaSlow.class,
          StreamOpened.class,
          TlsHandshake.class);

  private static final SSLSession SESSION = session();

  private static SSLSession session() {
    try {
      return SSLContext.getDefault().createSSLEngine().getSession();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @TempDir private Path folder;

  /// The events of a recording, as texts.
  private List<String> recorded(Class<? extends Event> enabled, Runnable work) throws IOException {
    Path file = folder.resolve("a.jfr");
    try (Recording recording = new Recording()) {
      EVENTS.forEach(recording::disable);
      recording.enable(enabled);
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("zonda."))
        .map(ServerEventsTest::text)
        .toList();
  }

  private static String text(RecordedEvent event) {
    StringBuilder text = new StringBuilder(event.getEventType().getName());
    for (var field : event.getFields()) {
      if (!List.of("startTime", "duration", "eventThread", "stackTrace")
          .contains(field.getName())) {
        text.append(' ').append(event.<Object>getValue(field.getName()));
      }
    }
    return text.toString();
  }

  private static void recordAll() {
    Commit.record(5, 7_000);
    HandOver.record(3, 40, 9_000);
    Login.record("SCRAM-SHA-256", true, 8_000);
    MailboxWait.record(1_000_000);
    MailboxWait.record(999_999);
    StanzaSlow.record("inside", 10_000_000);
    StanzaSlow.record("inside", 9_999_999);
    StreamOpened.record("jabber:client", true, 40);
    TlsHandshake.record(SESSION, null);
    TlsHandshake.record(SESSION, new SSLHandshakeException("from alice@example.org"));
  }

  @Test
  void eventsHaveTheirValues() throws IOException {
    assertThat(recorded(Commit.class, ServerEventsTest::recordAll))
        .containsExactly("zonda.Commit 5 7000");
    assertThat(recorded(HandOver.class, ServerEventsTest::recordAll))
        .containsExactly("zonda.HandOver 3 40 9000");
    assertThat(recorded(Login.class, ServerEventsTest::recordAll))
        .containsExactly("zonda.Login SCRAM-SHA-256 true 8000");
    assertThat(recorded(StreamOpened.class, ServerEventsTest::recordAll))
        .containsExactly("zonda.StreamOpened jabber:client true 40");
  }

  @Test
  void onlyLongTimesAreRecorded() throws IOException {
    assertThat(recorded(MailboxWait.class, ServerEventsTest::recordAll))
        .containsExactly("zonda.MailboxWait 1000000");
    assertThat(recorded(StanzaSlow.class, ServerEventsTest::recordAll))
        .containsExactly("zonda.StanzaSlow inside 10000000");
  }

  @Test
  void failedHandshakeHasTheClassOfItsCauseAndNoMessage() throws IOException {
    assertThat(recorded(TlsHandshake.class, ServerEventsTest::recordAll))
        .containsExactly(
            "zonda.TlsHandshake NONE SSL_NULL_WITH_NULL_NULL null",
            "zonda.TlsHandshake NONE SSL_NULL_WITH_NULL_NULL"
                + " javax.net.ssl.SSLHandshakeException");
  }
}
