package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;
import im.zonda.testkit.xml.XmlStreamReading;
import java.io.IOException;
import java.io.InputStream;
import javax.xml.stream.XMLStreamException;

/// Reads one stream of a connection on a thread of its own and passes the events to an inbox.
///
/// Stops after an element that is followed by a new stream, so that bytes of the next stream or of
/// a TLS handshake are not parsed as this stream.
final class StreamReader implements Runnable {
  private final InputStream in;
  private final Inbox inbox;

  private StreamReader(InputStream in, Inbox inbox) {
    this.in = in;
    this.inbox = inbox;
  }

  static void start(InputStream in, Inbox inbox) {
    Thread.ofVirtual().name("scripted-client").start(new StreamReader(in, inbox));
  }

  @Override
  public void run() {
    try {
      XmlStreamReading reading = new XmlStreamReading(in);
      inbox.put(new StreamEvent.Opened(reading.readRoot()));
      for (XmlElement e = reading.readChild(); e != null; e = reading.readChild()) {
        inbox.put(new StreamEvent.Received(e));
        if (isFollowedByNewStream(e)) {
          return;
        }
      }
      inbox.put(new StreamEvent.Closed());
      awaitEnd();
    } catch (XMLStreamException e) {
      inbox.put(new StreamEvent.Gone(String.valueOf(e.getMessage())));
    }
  }

  private void awaitEnd() {
    String reason = "closed";
    try {
      while (in.read() >= 0) {
        reason = "bytes after the end of the stream";
      }
    } catch (IOException e) {
      reason = String.valueOf(e.getMessage());
    }
    inbox.put(new StreamEvent.Gone(reason));
  }

  private static boolean isFollowedByNewStream(XmlElement element) {
    return element.is(ScriptedClient.TLS, "proceed") || element.is(ScriptedClient.SASL, "success");
  }
}
