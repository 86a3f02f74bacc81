package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.jid.Jid;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.stanza.Message;
import im.zonda.store.StanzaIdentity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// The sessions whose home is on a node of [NodeSimulation], and what they have sent.
final class SimulatedSessions {
  private static final int SESSIONS = 3;

  private final Member member;
  private final boolean marksDoubt;
  private final List<String> faults;
  private final List<Jid> sessions = new ArrayList<>();
  private final Set<Jid> paused = new HashSet<>();

  /// What has not been released, in order.
  private final List<Sent> unreleased = new ArrayList<>();

  private int sent;
  private int released;

  SimulatedSessions(Member member, boolean marksDoubt, List<String> faults) {
    this.member = member;
    this.marksDoubt = marksDoubt;
    this.faults = faults;
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(Jid.of("s" + i + "@example.org/" + member.name() + member.incarnation()));
    }
  }

  Jid any(SplittableRandom random) {
    return sessions.get(random.nextInt(sessions.size()));
  }

  boolean isPaused(Jid session) {
    return paused.contains(session);
  }

  /// The next stanza of a session.
  Sent next(Jid sender, Jid to, long number) {
    return add(new Sent(sender, to, number, 0));
  }

  private Sent add(Sent stanza) {
    sent++;
    unreleased.add(stanza);
    return stanza;
  }

  /// Takes over the sessions of a node that has died.
  ///
  /// @return what is to be sent again
  List<Sent> adopt(SimulatedSessions dead) {
    sessions.addAll(dead.sessions);
    return dead.unreleased.stream()
        .map(old -> add(new Sent(old.sender, old.to, old.number, marksDoubt ? 1 : 0)))
        .toList();
  }

  /// Everything is to have been handled.
  void judge() {
    if (released != sent) {
      faults.add(member + ": " + released + " of " + sent + " have been handled");
    }
  }

  /// A stanza of a session.
  final class Sent implements Origin {
    private final Jid sender;
    private final Jid to;
    private final long number;
    private final long age;
    private int holds;

    Sent(Jid sender, Jid to, long number, long age) {
      this.sender = sender;
      this.to = to;
      this.number = number;
      this.age = age;
    }

    Jid to() {
      return to;
    }

    Message message() {
      return Message.of(Message.Type.CHAT, sender, to, "" + number, List.of());
    }

    @Override
    public Jid session() {
      return sender;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public long identity() {
      return StanzaIdentity.of(sender + " " + to, number);
    }

    @Override
    public long age() {
      return age;
    }

    @Override
    public InboundFlow flow() {
      return new Flow(paused, sender);
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {
      holds++;
    }

    @Override
    public void release() {
      holds--;
      if (holds == 0) {
        released++;
        unreleased.remove(this);
      } else if (holds < 0) {
        faults.add("released more often than held: " + sender + " " + number);
      }
    }
  }

  /// The stream of a session.
  private record Flow(Set<Jid> all, Jid sender) implements InboundFlow {
    @Override
    public void pauseReading() {
      all.add(sender);
    }

    @Override
    public void resumeReading() {
      all.remove(sender);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Flow that && sender.equals(that.sender);
    }

    @Override
    public int hashCode() {
      return sender.hashCode();
    }
  }
}
