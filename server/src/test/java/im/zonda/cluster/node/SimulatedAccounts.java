package im.zonda.cluster.node;

import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.replica.HomePart;
import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionVersion;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StreamErrorCondition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The homes of accounts on a node of [StreamSimulation]: each has its sessions and a mailbox,
/// whose tasks run some time after they have come.
final class SimulatedAccounts extends NoHomes {
  static final ToStream CONFLICT =
      new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed by a new connection");

  /// In the key of a part that has the number of a session's last resumption.
  private static final String NUMBER = "#";

  /// A session, with the link to its stream.
  static final class Session {
    final Jid jid;
    final String id;
    long resumptions;

    /// How often the client has resumed it, which it gets as the count of its stanzas.
    long count;

    @Nullable Link link;

    Session(Jid jid, String id, long resumptions, long count) {
      this.jid = jid;
      this.id = id;
      this.resumptions = resumptions;
      this.count = count;
    }

    String state() {
      return resumptions + " " + count;
    }
  }

  /// What a home may do wrong.
  ///
  /// @param forgets whether a home that leaves forgets the tasks in its mailbox
  /// @param loses whether a home loses a request now
  /// @param trustsAll whether a home recovers a session from any stream
  /// @param tellsEarly whether a client gets its resumption before the standby knows of it
  record Faults(boolean forgets, BooleanSupplier loses, boolean trustsAll, boolean tellsEarly) {}

  private final Node node;
  private final Supplier<String> ids;
  private final Faults faults;
  private final Map<Jid, List<Session>> sessions = new HashMap<>();

  /// The numbers that former homes have replicated, by the keys of their parts.
  private final Map<Jid, Map<String, Long>> numbers = new HashMap<>();

  private final Map<Jid, Deque<Runnable>> mailboxes = new LinkedHashMap<>();

  SimulatedAccounts(Node node, Supplier<String> ids, Faults faults) {
    this.node = node;
    this.ids = ids;
    this.faults = faults;
  }

  private List<Session> sessions(Jid account) {
    return sessions.computeIfAbsent(account, _ -> new ArrayList<>());
  }

  /// The ids of the sessions that have a stream.
  List<String> attached() {
    return sessions.values().stream()
        .flatMap(List::stream)
        .filter(each -> each.link != null)
        .map(each -> each.id)
        .toList();
  }

  /// The mailboxes with tasks.
  List<Deque<Runnable>> busy() {
    return mailboxes.values().stream().filter(each -> !each.isEmpty()).toList();
  }

  @Override
  public SessionEnd open(StreamEnd stream) {
    return new Link(stream);
  }

  /// A link, at the home.
  final class Link implements SessionEnd {
    final StreamEnd stream;
    private @Nullable Jid account;
    private @Nullable Session session;

    Link(StreamEnd stream) {
      this.stream = stream;
    }

    @Override
    public void receive(ToSession value) {
      switch (value) {
        case ToSession.Bind bind -> {
          account = bind.account();
          if (faults.loses().getAsBoolean()) {
            return;
          }
          submit(() -> bind(bind), new ToStream.NotBound(ErrorCondition.INTERNAL_SERVER_ERROR));
        }
        case ToSession.Resume resume -> {
          account = resume.account();
          if (faults.loses().getAsBoolean()) {
            return;
          }
          submit(() -> resume(resume), new ToStream.Unsettled());
        }
        case ToSession.Recover(var lost) -> {
          account = lost.jid().bare();
          submit(() -> recover(lost), new ToStream.Unsettled());
        }
        case ToSession.Lost _ -> submit(() -> detach(false), null);
        case ToSession.Ended _ -> submit(() -> detach(true), null);
        default -> {}
      }
    }

    private void submit(Runnable task, @Nullable ToStream refusal) {
      Jid at = Objects.requireNonNull(account);
      if (node.isHere(at)) {
        mailboxes.computeIfAbsent(at, _ -> new ArrayDeque<>()).add(task);
      } else if (refusal != null) {
        stream.receive(refusal);
      }
    }

    private List<Session> all() {
      return sessions(Objects.requireNonNull(account));
    }

    private void bind(ToSession.Bind bind) {
      String resource = bind.resource();
      Jid jid = bind.account().withResource(resource == null ? ids.get() : resource);
      for (Session older : List.copyOf(all())) {
        if (older.jid.equals(jid)) {
          all().remove(older);
          if (older.link != null) {
            older.link.stream.receive(CONFLICT);
          }
        }
      }
      Session made = new Session(jid, ids.get(), 0, 0);
      made.link = this;
      session = made;
      all().add(made);
      stream.receive(
          new ToStream.Bound(jid, List.of(), new ToStream.Enabled(made.id, Duration.ofMinutes(5))));
      stream.receive(new ToStream.State(made.state()));
    }

    private @Nullable Session find(String id) {
      return all().stream().filter(each -> each.id.equals(id)).findFirst().orElse(null);
    }

    private void resume(ToSession.Resume resume) {
      Session found = find(resume.id());
      SessionVersion known = resume.version();
      if (found == null) {
        boolean left = known != null && hasLeft(resume.id(), known.resumptions());
        stream.receive(left ? CONFLICT : new ToStream.SessionNotFound(null));
      } else if (known == null) {
        found.resumptions = SessionVersion.nextResumption(found.resumptions, node.epoch());
        found.count++;
        attach(found);
        replicate(found);
      } else if (known.resumptions() < found.resumptions) {
        stream.receive(CONFLICT);
      } else if (known.resumptions() > found.resumptions) {
        stream.receive(new ToStream.SessionNotFound(null));
      } else {
        attach(found);
        replicate(found);
      }
    }

    private boolean hasLeft(String id, long resumption) {
      long last =
          numbers.getOrDefault(Objects.requireNonNull(account), Map.of()).getOrDefault(id, 0L);
      return !faults.trustsAll() && resumption < last;
    }

    private void attach(Session found) {
      Link old = found.link;
      found.link = this;
      session = found;
      if (old != null) {
        old.stream.receive(CONFLICT);
      }
    }

    /// Replaces the replica at the standby by the number of the last resumption, and then tells the
    /// client.
    private void replicate(Session found) {
      ReplicaListener listener = _ -> submit(() -> tell(found), null);
      copy(found, faults.tellsEarly() ? null : listener);
      if (faults.tellsEarly()) {
        tell(found);
      }
    }

    private void copy(Session its, @Nullable ReplicaListener listener) {
      Map<String, byte @Nullable []> parts = new LinkedHashMap<>();
      parts.put(NUMBER + its.id, String.valueOf(its.resumptions).getBytes(StandardCharsets.UTF_8));
      parts.put(its.id, null);
      node.copy(Objects.requireNonNull(account), parts, listener);
    }

    private void tell(Session found) {
      if (equals(found.link)) {
        stream.receive(new ToStream.Resumed(found.jid, found.count, 0, found.resumptions));
        stream.receive(new ToStream.State(found.state()));
      }
    }

    private void recover(LostSession lost) {
      String[] state = lost.state().split(" ", 2);
      Session kept =
          new Session(lost.jid(), lost.id(), Long.parseLong(state[0]), Long.parseLong(state[1]));
      Session found = find(lost.id());
      long here = found == null ? -1 : found.resumptions;
      if (here > kept.resumptions || hasLeft(kept.id, kept.resumptions)) {
        stream.receive(CONFLICT);
        return;
      }
      if (found != null && here < kept.resumptions) {
        all().remove(found);
        if (found.link != null) {
          found.link.stream.receive(CONFLICT);
        }
        found = null;
      }
      Session its = found == null ? kept : found;
      if (found == null) {
        all().add(kept);
        copy(kept, null);
      }
      attach(its);
      tell(its);
    }

    private void detach(boolean ends) {
      Session its = session;
      if (its != null && equals(its.link)) {
        its.link = null;
        if (ends) {
          all().remove(its);
        }
      }
    }
  }

  @Override
  public List<HomePart> unload(Predicate<Jid> leaving) {
    List<HomePart> parts = new ArrayList<>();
    mailboxes.forEach((account, tasks) -> {
      while (leaving.test(account) && !tasks.isEmpty()) {
        Runnable task = tasks.remove();
        if (!faults.forgets()) {
          task.run();
        }
      }
    });
    sessions.forEach((account, all) -> {
      if (leaving.test(account)) {
        for (Session each : all) {
          Link link = each.link;
          if (link != null) {
            link.stream.receive(new ToStream.Moved());
          }
          String state = each.jid.resource() + " " + each.state();
          parts.add(
              new HomePart(
                  account, each.id, new StanzaBytes(state.getBytes(StandardCharsets.UTF_8))));
        }
        all.clear();
      }
    });
    numbers.forEach((account, all) -> {
      if (leaving.test(account)) {
        all.forEach((id, number) ->
            parts.add(
                new HomePart(
                    account,
                    NUMBER + id,
                    new StanzaBytes(String.valueOf(number).getBytes(StandardCharsets.UTF_8)))));
        all.clear();
      }
    });
    return parts;
  }

  @Override
  public void restore(Jid account, Map<String, StanzaBytes> state) {
    state.forEach((id, part) -> {
      String[] values = part.text().split(" ", 3);
      if (id.startsWith(NUMBER)) {
        numbers
            .computeIfAbsent(account, _ -> new HashMap<>())
            .put(id.substring(NUMBER.length()), Long.parseLong(values[0]));
      } else {
        sessions(account)
            .add(
                new Session(
                    account.withResource(values[0]),
                    id,
                    Long.parseLong(values[1]),
                    Long.parseLong(values[2])));
      }
    });
  }
}
