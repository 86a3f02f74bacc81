package im.zonda.stream;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.XmlParser;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// A transport without bytes, as a WebSocket is (RFC 7395): each frame is a document of its own,
/// and the header and the end are elements.
final class DocumentStreamTest {
  private static final String HANDSHAKE =
      "<handshake>b09ea9b3b7f586be8a08d0a3dd7466f110aeb136</handshake>";

  /// Input of a transport that gets whole documents.
  private static final class Documents implements StreamInput {
    private final Queue<Frame> kept = new ArrayDeque<>();
    private boolean suspended;
    private final Stream stream;

    Documents(StreamProfile profile, StreamTransport transport) {
      stream = new Stream(profile, transport, this);
    }

    void receive(String document) throws XmlException {
      Frame frame = XmlParser.frame(document, ComponentRole.NAMESPACE);
      if (suspended) {
        kept.add(frame);
      } else {
        stream.onFrame(frame);
      }
    }

    @Override
    public void suspend() {
      suspended = true;
    }

    @Override
    public void resume() {
      suspended = false;
      while (!suspended && !kept.isEmpty()) {
        stream.onFrame(kept.remove());
      }
    }

    @Override
    public void restart() {}

    @Override
    public void setLimits(InputLimits limits) {}

    @Override
    public void prepareTls(Runnable startTls) {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private final MemoryTransport transport = new MemoryTransport();
  private final Queue<Runnable> workers = new ArrayDeque<>();
  private final List<ComponentRole> roles = new ArrayList<>();
  private final Documents documents =
      new Documents(ComponentRole.profile(domain -> null, workers::add, roles), transport);

  private void run() {
    while (!workers.isEmpty() || !transport.tasks.isEmpty()) {
      (workers.isEmpty() ? transport.tasks : workers).remove().run();
    }
  }

  @Test
  void aStreamNeedsNoBytes() throws XmlException {
    documents.stream.onStreamOpen(
        new StreamHeader(
            new QName("http://etherx.jabber.org/streams", "stream"),
            Map.of(new QName("", "to"), "plays.shakespeare.lit"),
            ComponentRole.NAMESPACE));
    documents.receive(HANDSHAKE);
    documents.receive("<message id='1'/>");
    assertThat(roles.getFirst().received).as("while input is suspended").isEmpty();
    run();

    assertThat(transport.output()).endsWith("<handshake/>");
    assertThat(roles.getFirst().received).hasSize(1);
    documents.stream.onStreamClose();
    assertThat(transport.output()).isEqualTo("</stream:stream>");
  }
}
