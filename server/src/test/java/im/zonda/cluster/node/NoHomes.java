package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.cluster.replica.HomePart;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.module.Envelope;
import im.zonda.stanza.StanzaError;
import im.zonda.store.ClusterLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Homes of a node that do nothing. A test overrides what it looks at.
abstract class NoHomes implements LocalHomes {
  @Override
  public void accept(Envelope envelope) {}

  @Override
  public void reject(Envelope envelope, StanzaError error) {}

  @Override
  public SessionEnd open(StreamEnd stream) {
    throw new IllegalStateException("no session here");
  }

  @Override
  public List<HomePart> unload(Predicate<Jid> homes) {
    return List.of();
  }

  @Override
  public void flush() {}

  @Override
  public void find(Jid address, Consumer<Boolean> answer) {
    answer.accept(false);
  }

  @Override
  public void handled(Jid account, String session, long number) {}

  @Override
  public Map<Long, ClusterLog.Known> findOrigins(Set<Long> origins, Duration age) {
    return Map.of();
  }

  @Override
  public void restore(Jid home, Map<String, StanzaBytes> state) {}

  @Override
  public void copyChanges() {}

  @Override
  public void forget(Jid account) {}

  @Override
  public void receive(Member from, NodeMessage value) {}

  @Override
  public void placed(Set<Member> members) {}

  @Override
  public void opening() {}

  @Override
  public void opened() {}
}
