package im.zonda.host;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.cluster.replica.HomePart;
import im.zonda.cluster.replica.Replication;
import im.zonda.home.component.ComponentCluster;
import im.zonda.home.router.StanzaRouter;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshotCodec;
import im.zonda.home.session.SessionSnapshotCodec.Section;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.module.Envelope;
import im.zonda.stanza.StanzaError;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.stream.sasl.LoginPause;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The homes of this server, for other nodes.
final class NodeHomes implements LocalHomes {
  private static final Logger LOG = LoggerFactory.getLogger(NodeHomes.class);

  /// The part of a component's state that moves with its home.
  private static final String COMPONENT = "component";

  /// How long components and other servers are waited for, some times over.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final StanzaRouter router;
  private final Replication replication;
  private final MessageLog log;
  private final ClusterLog clusterLog;
  private final @Nullable ComponentCluster components;
  private final Supplier<@Nullable Federation> federation;
  private final NodePosts posts;
  private final LoginPause logins;
  private final SessionSnapshotCodec codec = new SessionSnapshotCodec();

  /// @param posts gets what other nodes say
  /// @param logins wait while this node takes over homes
  /// @param federation the exchange of stanzas with other servers, null while there is none
  NodeHomes(
      StanzaRouter router,
      MessageLog log,
      ClusterLog clusterLog,
      NodePosts posts,
      LoginPause logins,
      Supplier<@Nullable Federation> federation) {
    this.router = router;
    this.replication = router.homes().nodes().replication();
    this.log = log;
    this.clusterLog = clusterLog;
    this.posts = posts;
    this.logins = logins;
    this.components = router.components().cluster();
    this.federation = federation;
  }

  @Override
  public void accept(Envelope envelope) {
    if (components != null) {
      components.forwarded(envelope.stanza());
    }
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
  public List<HomePart> unload(Predicate<Jid> homes) {
    Queue<HomePart> parts = new ConcurrentLinkedQueue<>();
    unloadLinks(homes, parts);
    List<SessionSnapshot> sessions =
        router.unload(
            homes,
            (address, state) ->
                state.forEach(
                    (key, part) -> parts.add(new HomePart(address, key, new StanzaBytes(part)))));
    for (SessionSnapshot each : sessions) {
      try {
        parts.add(new HomePart(each.jid().bare(), each.id(), new StanzaBytes(codec.whole(each))));
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("jid", each.jid()).setCause(e).log("session_not_moved");
      }
    }
    router
        .recovery()
        .formerHomes()
        .takeNumbers(homes)
        .forEach((account, numbers) ->
            numbers.forEach(
                (key, number) -> parts.add(new HomePart(account, key, new StanzaBytes(number)))));
    return List.copyOf(parts);
  }

  @Override
  public void flush() {
    log.flush();
  }

  /// Components and the queues for other servers stop what they do for others first.
  private void unloadLinks(Predicate<Jid> homes, Queue<HomePart> parts) {
    long busy = 0;
    if (components != null) {
      BiConsumer<Jid, byte[]> moving =
          (domain, state) -> parts.add(new HomePart(domain, COMPONENT, new StanzaBytes(state)));
      busy += components.unload(homes, moving, PATIENCE);
    }
    Federation federated = federation.get();
    if (federated != null) {
      busy += federated.domains().unload(homes, PATIENCE);
    }
    if (busy > 0) {
      LOG.atWarn().addKeyValue("homes", busy).log("homes_busy_at_move");
    }
  }

  @Override
  public void copyChanges() {
    router.recovery().replication().replicateChanges();
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
  public Map<Long, ClusterLog.Known> findOrigins(Set<Long> origins, Duration age) {
    return clusterLog.findOrigins(origins, age);
  }

  @Override
  public void restore(Jid home, Map<String, StanzaBytes> state) {
    StanzaBytes component = state.get(COMPONENT);
    if (component != null && home.local() == null) {
      replication.copy(home, COMPONENT, null);
      if (components != null) {
        components.arrived(home, component.array());
      }
      return;
    }
    Map<String, byte[]> parts = new LinkedHashMap<>();
    state.forEach((key, part) -> parts.put(key, part.array()));
    if (!router.arrived(home, parts)) {
      router.recovery().formerHomes().restoreNumbers(home, parts);
      parts.forEach((id, part) -> {
        if (Section.isState(id)) {
          restoreSession(home, id, parts);
        } else if (!Section.isAlone(id) && !parts.containsKey(Section.idOf(id))) {
          replication.copy(home, id, null);
        }
      });
    }
  }

  private void restoreSession(Jid account, String id, Map<String, byte[]> parts) {
    try {
      router
          .sessions()
          .restore(
              codec.read(
                  Objects.requireNonNull(parts.get(id)),
                  parts.get(Section.QUEUE.key(id)),
                  parts.get(Section.HANDLED.key(id))));
    } catch (IOException | RuntimeException e) {
      LOG.atError().addKeyValue("home", account).setCause(e).log("state_not_restored");
      router.recovery().replication().removeReplica(account, id);
    }
  }

  @Override
  public void forget(Jid account) {
    router.forgetHere(account);
  }

  @Override
  public void receive(Member from, NodeMessage value) {
    router.requestsOfServer().receive(from, value);
    posts.receive(from, value);
    if (components != null) {
      components.receive(from, value);
    }
  }

  @Override
  public void memberMissed() {
    router.recovery().formerHomes().memberMissed();
  }

  @Override
  public void takingOver(boolean begun) {
    logins.pause(begun);
  }

  @Override
  public void placed(Set<Member> members) {
    router.requestsOfServer().placed(members);
    router.recovery().formerHomes().placed(members);
    posts.placed(members);
    if (components != null) {
      components.placed(members);
    }
  }

  @Override
  public void opening() {
    router.opening();
  }

  @Override
  public void opened() {
    router.opened();
    if (components != null) {
      components.opened();
    }
    Federation federated = federation.get();
    if (federated != null) {
      federated.domains().opened();
    }
  }
}
