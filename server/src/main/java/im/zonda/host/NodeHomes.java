package im.zonda.host;

import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.home.account.StanzaRouter;
import im.zonda.home.session.MovingSession;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.module.Envelope;
import im.zonda.node.LocalHomes;
import im.zonda.node.MovedState;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The homes of this server, for other nodes.
final class NodeHomes implements LocalHomes {
  private static final Logger LOG = LoggerFactory.getLogger(NodeHomes.class);

  private static final int SESSION = 1;
  private static final int SERVICE = 2;

  private final StanzaRouter router;
  private final SessionForm form = new SessionForm();

  NodeHomes(StanzaRouter router) {
    this.router = router;
  }

  @Override
  public void accept(Envelope envelope) {
    router.routes().route(envelope);
  }

  @Override
  public void reject(Envelope envelope, StanzaError error) {
    router.routes().errors().reject(envelope, error);
  }

  @Override
  public SessionEnd open(StreamEnd stream) {
    return router.sessions().open(stream);
  }

  @Override
  public List<MovedState> evict(Predicate<Jid> homes) {
    Queue<MovedState> moved = new ConcurrentLinkedQueue<>();
    List<MovingSession> sessions =
        router.evict(
            homes,
            (address, state) ->
                moved.add(
                    written(
                        address,
                        out -> {
                          out.writeByte(SERVICE);
                          out.writeUTF(address.toString());
                          out.write(state);
                        })));
    for (MovingSession each : sessions) {
      moved.add(written(each.session().jid().bare(), out -> write(each, out)));
    }
    return List.copyOf(moved);
  }

  private interface Content {
    void write(DataOutputStream out) throws IOException;
  }

  private static MovedState written(Jid home, Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      content.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return new MovedState(home, new StanzaBytes(bytes.toByteArray()));
  }

  private void write(MovingSession moving, DataOutputStream out) throws IOException {
    out.writeByte(SESSION);
    out.writeInt(form.version());
    out.writeLong(moving.received());
    out.writeInt(moving.pending().size());
    for (long number : moving.pending()) {
      out.writeLong(number);
    }
    form.write(moving.session(), out);
  }

  @Override
  public void find(Jid address, Consumer<Boolean> answer) {
    if (!router.find(address, answer)) {
      answer.accept(false);
    }
  }

  @Override
  public void handled(Jid account, String session, long number) {
    router.sessions().handled(account, session, number);
  }

  @Override
  public void restore(StanzaBytes state) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(state.array()))) {
      switch (in.readByte()) {
        case SESSION -> restoreSession(in);
        case SERVICE -> router.arrived(Jid.of(in.readUTF()), in.readAllBytes());
        default -> throw new IOException("an unknown kind");
      }
    } catch (IOException | XmlException | StanzaFormatException e) {
      LOG.atError().setCause(e).log("state_not_moved");
    }
  }

  private void restoreSession(DataInputStream in)
      throws IOException, XmlException, StanzaFormatException {
    if (in.readInt() != form.version()) {
      throw new IOException("a session of another version");
    }
    long received = in.readLong();
    SortedSet<Long> pending = new TreeSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      pending.add(in.readLong());
    }
    router.sessions().restore(new MovingSession(form.read(in), received, pending));
  }
}
