package im.zonda.node;

import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import org.jspecify.annotations.Nullable;

/// The end of a link at a stream of this node: decides with each attempt to bind or to resume where
/// the session is. Used by the stream's thread.
final class StreamLink implements SessionEnd {
  private final Node node;
  private final StreamEnd stream;
  private final SessionGate gate;
  private @Nullable SessionEnd local;
  private long link;
  private String owner = "";

  /// @param gate opens links to sessions of this node
  StreamLink(Node node, StreamEnd stream, SessionGate gate) {
    this.node = node;
    this.stream = stream;
    this.gate = gate;
  }

  @Override
  public void receive(ToSession value) {
    if (value instanceof ToSession.Bind bind) {
      choose(bind.account());
    } else if (value instanceof ToSession.Resume resume) {
      choose(resume.account());
    }
    SessionEnd end = local;
    if (end != null) {
      end.receive(value);
    } else {
      node.fromStream(link, owner, value);
    }
  }

  @Override
  public void outputEnded() {
    SessionEnd end = local;
    if (end != null) {
      end.outputEnded();
    }
  }

  private void choose(Jid account) {
    if (node.isHere(account.bare())) {
      local = gate.open(stream);
    } else {
      local = null;
      owner = account.bare().toString();
      link = node.open(stream);
    }
  }
}
