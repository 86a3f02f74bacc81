package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.module.Envelope;
import im.zonda.route.Tracing;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StanzaIdentity;
import im.zonda.store.StoreException;
import im.zonda.trace.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages of a pair of domains in the message log, whose owner is the queue. Confined to the
/// mailbox of the pair.
final class StoredQueue {
  private final Jid address;
  private final RemoteSetup setup;

  /// Whether the queue is known to exist in the store.
  private boolean existing;

  StoredQueue(Jid address, RemoteSetup setup) {
    this.address = address;
    this.setup = setup;
  }

  /// Reads the messages that wait from before the home was loaded. Blocks.
  ///
  /// @param now milliseconds since 1970; later times of messages count as this one, so that each is
  ///   returned in time if the clock was set back
  List<QueuedStanza> load(long now) {
    setup.clusterLog().takeOver(address);
    List<QueuedStanza> waiting = new ArrayList<>();
    for (Entry entry :
        setup.log().waiting(address, Long.MIN_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE)) {
      Envelope envelope = Envelope.of(entry.message());
      Payer payer = Payer.of(envelope, setup.routes());
      waiting.add(
          new QueuedStanza(
              envelope, payer, entry.id(), null, Math.min(now, entry.time().toEpochMilli())));
    }
    existing = !waiting.isEmpty();
    return waiting;
  }

  /// Whether the queue is known to exist in the store.
  boolean exists() {
    return existing;
  }

  /// The queue was found in the store.
  void found() {
    existing = true;
  }

  /// Whether accepting the stanza may block: the first message creates the queue in the store.
  boolean mayBlock(Envelope envelope) {
    return !existing
        && envelope.stanza() instanceof Message message
        && RemoteMessages.isLasting(message);
  }

  /// Queues a stanza, in the log if it must be stored; null if it must and cannot.
  ///
  /// @param live whether a stream can take it at once
  @Nullable QueuedStanza accept(Envelope envelope, Payer payer, boolean live, long now) {
    Tracing tracing = setup.routes().errors().tracing();
    if (tracing.on()) {
      tracing.step(envelope, Place.REMOTE, Verdict.QUEUED, address.resource());
    }
    if (envelope.stanza() instanceof Message message && RemoteMessages.isLasting(message)) {
      try {
        return append(envelope, message, payer, now);
      } catch (StoreException e) {
        // The sender discards acknowledged stanzas, so it must get an error if the message is not
        // stored; and a message must not wait unstored.
        if (envelope.origin().acknowledges() || !live) {
          return null;
        }
      }
    }
    return new QueuedStanza(envelope, payer, 0, null, now);
  }

  /// Appends a message to the log; its origin is released after the commit. Blocks if the queue
  /// does not exist yet.
  private QueuedStanza append(Envelope envelope, Message message, Payer payer, long now) {
    if (!existing) {
      setup.queues().create(address);
      existing = true;
    }
    long id = setup.log().nextId();
    Message named = RemoteMessages.withId(message, id);
    Entry entry =
        new Entry(
            address,
            id,
            with(named),
            named,
            setup.clusterLog().keepsOrigins()
                ? StanzaIdentity.at(envelope.origin().identity(), message.to(), message)
                : 0);
    Receipt receipt = setup.log().append(entry, Keep.UNTIL_DELIVERED, true);
    setup.ackOnCommit().await(receipt, named, envelope.origin(), envelope.author());
    setup.ackOnCommit().slowDown(envelope.origin());
    return new QueuedStanza(envelope.withStanza(named), payer, id, receipt, now);
  }

  private static Jid with(Message message) {
    Jid to = message.to();
    if (to == null) {
      throw new IllegalArgumentException("a message to a remote domain has an addressee");
    }
    return to;
  }

  /// These were delivered, and no longer wait.
  void delivered(List<QueuedStanza> done) {
    List<Long> earlier = new ArrayList<>();
    for (QueuedStanza queued : done) {
      Receipt receipt = queued.receipt();
      if (receipt != null) {
        receipt.delivered();
      } else if (queued.logId() != 0) {
        earlier.add(queued.logId());
      }
    }
    if (!earlier.isEmpty()) {
      setup.log().delivered(address, earlier);
    }
  }

  /// Removes the queue from the store if it is empty there. Blocks.
  void remove() {
    if (existing && setup.queues().remove(address)) {
      existing = false;
    }
  }
}
