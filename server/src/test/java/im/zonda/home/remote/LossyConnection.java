package im.zonda.home.remote;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A stream between two servers with acknowledgements, of which all that is under way is lost when
/// it breaks or its connection is cut; after a cut it can be resumed. Stanzas go one way only.
final class LossyConnection {
  private final RemoteServer sender;
  private final RemoteServer receiver;
  private final DomainPair out;
  private final DomainPair in;
  private final PlantedFault fault;
  private final Predicate<Stanza> sees;
  private final Deque<Stanza> stanzas = new ArrayDeque<>();
  private final Deque<Long> acknowledgements = new ArrayDeque<>();
  private final List<Stanza> sent = new ArrayList<>();
  private final List<Long> sentNumbers = new ArrayList<>();
  private final TreeSet<Long> done = new TreeSet<>();
  private long received;
  private boolean cut;

  /// Whether the receiver has been killed.
  private boolean forgotten;

  private long acknowledged;

  private final TestStream sending =
      new TestStream() {
        @Override
        public void deliver(DomainPair pair, Stanza stanza, long number, long since) {
          boolean again = !sees.test(stanza);
          boolean second = sentNumbers.size() == 1 && stanzas.size() == 1;
          sentNumbers.add(number);
          sent.add(stanza);
          if (cut) {
            return;
          }
          if (fault == PlantedFault.OTHER_ID && again) {
            stanzas.add(withOtherId((Message) stanza));
          } else if (fault == PlantedFault.REORDERED && second) {
            stanzas.addFirst(stanza);
          } else {
            stanzas.add(stanza);
          }
        }

        @Override
        public void close() {
          super.close();
          if (cut) {
            sender.domains.ended(
                out, this, new ServerStreamFailure(Reason.CLOSED, "abandoned by the home"));
          }
        }
      };

  private final TestStream receiving =
      new TestStream() {
        @Override
        public void handled(long number) {
          done.add(number);
          while (done.remove(acknowledged + 1)) {
            acknowledged++;
            acknowledgements.add(acknowledged);
          }
        }
      };

  /// @param sees is given each stanza that the sender delivers; false if it has seen it before
  LossyConnection(
      RemoteServer sender,
      RemoteServer receiver,
      DomainPair out,
      PlantedFault fault,
      Predicate<Stanza> sees) {
    this.sender = sender;
    this.fault = fault;
    this.sees = sees;
    this.receiver = receiver;
    this.out = out;
    this.in = new DomainPair(out.remote(), out.local());
  }

  private static Message withOtherId(Message message) {
    return Message.of(
        message.type(), message.from(), message.to(), message.id() + "x", message.payloads());
  }

  /// Delivers a stanza again, as a defective sender does.
  void deliverAgain(Stanza stanza) {
    sending.deliver(out, stanza, 0, 0);
  }

  boolean isSender(RemoteServer server) {
    return sender.equals(server);
  }

  /// Whether it waits to be resumed.
  boolean isCut() {
    return cut && !sending.closed;
  }

  /// Whether the receiver has been killed.
  boolean isForgotten() {
    return forgotten;
  }

  boolean isOver() {
    return sending.closed;
  }

  /// The connection is lost. Of the receiver that is killed nothing is left.
  void cut(boolean killed) {
    forgotten |= killed;
    if (!cut) {
      cut = true;
      stanzas.clear();
      acknowledgements.clear();
      sender.domains.interrupted(out, sending);
      sender.workers.runAll();
    }
  }

  /// Whether the receiver has handled all that it has received.
  private boolean isSettled() {
    return fault == PlantedFault.RESUMED_BEFORE_IT_WAS_HANDLED || acknowledged == received;
  }

  /// Goes on over another connection; false if that must be tried again later.
  ///
  /// @param counted what another stream has counted
  boolean resume(long counted) {
    if (!isSettled()) {
      return false;
    }
    int h =
        (int)
            (fault == PlantedFault.RESUMED_FOR_ANOTHER_PAIR
                ? Math.min(counted, sent.size())
                : acknowledged);
    int next =
        switch (fault) {
          case RESUMED_FROM_THE_NEXT -> Math.min(sent.size(), h + 1);
          case RESUMED_FROM_THE_LAST -> Math.max(0, h - 1);
          default -> h;
        };
    cut = false;
    acknowledge(h);
    stanzas.addAll(sent.subList(next, sent.size()));
    sender.domains.resumed(out, sending);
    sender.workers.runAll();
    return true;
  }

  private void acknowledge(int h) {
    assertThat(h).as("counted by the receiver").isLessThanOrEqualTo(sentNumbers.size());
    if (h > 0) {
      sender.domains.acknowledged(out, sentNumbers.get(h - 1), sending);
    }
  }

  /// It is not resumed. The receiver says what it has, unless it has been killed.
  void refuse() {
    if (!forgotten) {
      acknowledge((int) acknowledged);
    }
    breakOff(true, !forgotten);
  }

  /// What the receiver has handled.
  long counted() {
    return acknowledged;
  }

  void open() {
    receiver.domains.accepted(in, receiving);
    receiver.workers.runAll();
    sender.domains.ready(out, sending);
    sender.workers.runAll();
  }

  /// Brings one stanza or acknowledgement to the other side; false if there is none.
  boolean move(boolean back) {
    Stanza stanza = back ? null : stanzas.poll();
    if (stanza != null) {
      receiver.domains.received(in, stanza, ++received, receiving);
      receiver.workers.runAll();
      return true;
    }
    Long count = back ? acknowledgements.poll() : null;
    if (count != null) {
      assertThat(count).as("counted by the receiver").isLessThanOrEqualTo(sentNumbers.size());
      sender.domains.acknowledged(out, sentNumbers.get((int) (count - 1)), sending);
      sender.workers.runAll();
      return true;
    }
    return false;
  }

  /// Breaks; a side that has been killed learns nothing.
  void breakOff(boolean senderAlive, boolean receiverAlive) {
    ServerStreamFailure lost = new ServerStreamFailure(Reason.LOST, "broken by the test");
    if (receiverAlive) {
      receiver.domains.ended(in, receiving, lost);
      receiver.workers.runAll();
    }
    if (senderAlive && fault == PlantedFault.NOT_REQUEUED && !sentNumbers.isEmpty()) {
      sender.domains.acknowledged(out, sentNumbers.getLast(), sending);
      sender.workers.runAll();
    }
    if (senderAlive) {
      sender.domains.ended(out, sending, lost);
      sender.workers.runAll();
    }
  }
}
