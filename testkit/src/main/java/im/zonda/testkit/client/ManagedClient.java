package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A client with Stream Management (XEP-0198) that keeps its unacknowledged stanzas over broken
/// connections.
///
/// After a loss, [#connect] resumes the session. If the server no longer has it, the client binds a
/// new session and sends the unacknowledged messages again with the same ids. Any thread may send;
/// one thread connects and disconnects.
public final class ManagedClient implements AutoCloseable {
  /// The namespace of Stream Management.
  public static final String SM = "urn:xmpp:sm:3";

  private static final String REQUEST = "<r xmlns='" + SM + "'/>";
  private static final long COUNTER_MASK = 0xFFFF_FFFFL;

  /// How the client behaves.
  ///
  /// @param managed whether it enables Stream Management at all
  /// @param resume whether it asks for sessions that can be resumed
  /// @param ackEvery number of stanzas after which it acknowledges without a request; 0 for never
  /// @param presence what it sends first in each new session; empty for nothing
  public record Habits(boolean managed, boolean resume, int ackEvery, String presence) {
    /// Resumes sessions, sends presence, and acknowledges on request.
    public static final Habits USUAL = new Habits(true, true, 0, "<presence/>");
  }

  /// A stanza to send.
  ///
  /// @param id passed to the listener later; empty for stanzas that have no meaning in a later
  ///   session
  /// @param xml the stanza
  public record Outgoing(String id, String xml) {}

  /// How a connection began.
  public enum Start {
    /// The former session was resumed.
    RESUMED,
    /// A first session, or one after a session that was not to be resumed.
    BOUND,
    /// A new session, because the server did not resume the former one.
    BOUND_ANEW
  }

  /// Listener for events. Called on the client's threads; calls of the same method do not overlap.
  public interface Listener {
    /// A new session has been bound; nothing has been sent or received in it.
    void bound();

    /// A stanza was received. It counts as handled when this method returns; until then nothing
    /// more is read.
    void received(XmlElement stanza);

    /// The server has acknowledged the stanza with this id.
    void acknowledged(String id);

    /// The stanza with this id, sent in the former session, is sent again in a new session.
    void sentAgain(String id);

    /// The server broke the protocol.
    void violated(String how);
  }

  private final Login login;
  private final Habits habits;
  private final Listener listener;

  // Held while a stanza is handled and counted, so that a resumption does not report a stale count.
  // Acquired before the object's own lock.
  private final Object receiving = new Object();

  private final Deque<Outgoing> unacknowledged = new ArrayDeque<>();
  private int unwritten;
  private long acknowledgedCount;
  private long receivedCount;
  private @Nullable String sessionId;
  private @Nullable ScriptedClient stream;

  /// Creates a client that is not connected. Each new session binds the login's resource.
  public ManagedClient(Login login, Habits habits, Listener listener) {
    this.login = login;
    this.habits = habits;
    this.listener = listener;
  }

  /// Logs in on a new connection and resumes the session if there is one.
  ///
  /// @throws IOException if the login fails; the session, if any, may be resumed later
  public Start connect(Wire wire) throws IOException {
    abandon();
    DirectInbox inbox = new DirectInbox();
    ScriptedClient next = new ScriptedClient(wire, inbox);
    try {
      next.negotiate(login);
      Start start = begin(next);
      inbox.direct(event -> take(next, event));
      return start;
    } catch (UncheckedIOException | AssertionError e) {
      detach(next);
      drop(next);
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      drop(next);
      throw new IOException("interrupted", e);
    }
  }

  private Start begin(ScriptedClient next) {
    String former = sessionId();
    if (former != null && resumed(next, former)) {
      return Start.RESUMED;
    }
    next.bind(login.resource());
    listener.bound();
    if (habits.managed()) {
      next.send("<enable xmlns='" + SM + "'" + (habits.resume() ? " resume='true'" : "") + "/>");
      XmlElement answer = next.receive();
      while (!answer.namespace().equals(SM)) {
        // Not counted, because it was sent before Stream Management was enabled.
        listener.received(answer);
        answer = next.receive();
      }
      enabled(answer);
    }
    startAnew(next);
    return former == null ? Start.BOUND : Start.BOUND_ANEW;
  }

  private boolean resumed(ScriptedClient next, String former) {
    String count;
    synchronized (receiving) {
      count = Long.toString(receivedCount & COUNTER_MASK);
    }
    next.send(
        "<resume xmlns='"
            + SM
            + "' h='"
            + count
            + "' previd='"
            + XmlElement.escape(former)
            + "'/>");
    XmlElement answer = next.receive();
    boolean resumed = answer.is(SM, "resumed");
    if (!resumed && !answer.is(SM, "failed")) {
      throw new AssertionError("<resume/> is answered with " + answer);
    }
    if (answer.attribute("h") != null) {
      acknowledged(answer);
    } else if (resumed) {
      listener.violated("<resumed/> without h");
    }
    synchronized (this) {
      if (!resumed) {
        sessionId = null;
        return false;
      }
      stream = next;
      writeAll(unacknowledged);
    }
    return true;
  }

  private void enabled(XmlElement answer) {
    if (!answer.is(SM, "enabled")) {
      throw new AssertionError("<enable/> is answered with " + answer);
    }
    boolean resumable = List.of("true", "1").contains(String.valueOf(answer.attribute("resume")));
    String id = answer.attribute("id");
    if (habits.resume() && (!resumable || id == null)) {
      listener.violated("the session cannot be resumed: " + answer);
    }
    synchronized (receiving) {
      receivedCount = 0;
      synchronized (this) {
        sessionId = resumable && habits.resume() ? id : null;
      }
    }
  }

  private synchronized void startAnew(ScriptedClient next) {
    List<Outgoing> former = new ArrayList<>(unacknowledged);
    int written = former.size() - unwritten;
    unacknowledged.clear();
    acknowledgedCount = 0;
    if (!habits.presence().isEmpty()) {
      unacknowledged.add(new Outgoing("", habits.presence()));
    }
    for (int i = 0; i < former.size(); i++) {
      Outgoing outgoing = former.get(i);
      if (!outgoing.id().isEmpty()) {
        if (i < written) {
          listener.sentAgain(outgoing.id());
        }
        unacknowledged.add(outgoing);
      }
    }
    stream = next;
    writeAll(unacknowledged);
    if (!habits.managed()) {
      unacknowledged.clear();
    }
  }

  /// Sends stanzas in one write and requests an acknowledgement. Without a connection they wait for
  /// the next one.
  public synchronized void send(List<Outgoing> stanzas) {
    if (habits.managed()) {
      unacknowledged.addAll(stanzas);
      unwritten += stanzas.size();
    }
    if (stream != null) {
      writeAll(stanzas);
    }
  }

  private synchronized void writeAll(Iterable<Outgoing> stanzas) {
    StringBuilder xml = new StringBuilder();
    stanzas.forEach(stanza -> xml.append(stanza.xml()));
    unwritten = 0;
    if (!xml.isEmpty()) {
      write(habits.managed() ? xml.append(REQUEST).toString() : xml.toString());
    }
  }

  private synchronized void write(String xml) {
    ScriptedClient current = stream;
    if (current == null) {
      return;
    }
    try {
      current.send(xml);
    } catch (UncheckedIOException e) {
      // The reader will notice the end too; the stanzas are kept.
      drop(current);
    }
  }

  private void take(ScriptedClient from, StreamEvent event) {
    synchronized (receiving) {
      if (!isCurrent(from)) {
        // Stanzas on an abandoned connection do not count as received.
        return;
      }
      switch (event) {
        case StreamEvent.Received received -> take(from, received.element());
        case StreamEvent.Closed() -> detach(from);
        case StreamEvent.Gone _ -> detach(from);
        case StreamEvent.Opened _ -> listener.violated("a second stream header");
      }
    }
  }

  private void take(ScriptedClient from, XmlElement element) {
    if (element.is(SM, "r")) {
      acknowledge();
    } else if (element.is(SM, "a")) {
      acknowledged(element);
    } else if (element.is(ScriptedClient.STREAMS, "error")) {
      detach(from);
    } else if (element.namespace().equals("jabber:client")) {
      answerPing(element);
      listener.received(element);
      receivedCount++;
      if (habits.ackEvery() > 0 && receivedCount % habits.ackEvery() == 0) {
        acknowledge();
      }
    } else {
      listener.violated("an element that nobody has asked for: " + element);
    }
  }

  private void answerPing(XmlElement element) {
    if (element.localName().equals("iq") && element.child("urn:xmpp:ping", "ping") != null) {
      String to = String.valueOf(element.attribute("from"));
      String id = String.valueOf(element.attribute("id"));
      send(
          List.of(
              new Outgoing(
                  "",
                  "<iq type='result' id='"
                      + XmlElement.escape(id)
                      + "' to='"
                      + XmlElement.escape(to)
                      + "'/>")));
    }
  }

  /// Acknowledges everything received, without a request.
  public void acknowledge() {
    synchronized (receiving) {
      if (habits.managed()) {
        write("<a xmlns='" + SM + "' h='" + (receivedCount & COUNTER_MASK) + "'/>");
      }
    }
  }

  private synchronized void acknowledged(XmlElement answer) {
    long h;
    try {
      h = Long.parseLong(String.valueOf(answer.attribute("h")));
    } catch (NumberFormatException e) {
      listener.violated("no count in " + answer);
      return;
    }
    long more = (h - acknowledgedCount) & COUNTER_MASK;
    if (more > unacknowledged.size() - unwritten || h < 0 || h > COUNTER_MASK) {
      listener.violated(
          answer
              + " after h="
              + (acknowledgedCount & COUNTER_MASK)
              + " with "
              + (unacknowledged.size() - unwritten)
              + " stanzas unacknowledged");
      return;
    }
    for (long i = 0; i < more; i++) {
      String id = unacknowledged.remove().id();
      if (!id.isEmpty()) {
        listener.acknowledged(id);
      }
    }
    acknowledgedCount += more;
    notifyAll();
  }

  private synchronized boolean isCurrent(ScriptedClient candidate) {
    return stream == candidate;
  }

  private synchronized void detach(ScriptedClient gone) {
    if (stream == gone) {
      stream = null;
      notifyAll();
      drop(gone);
    }
  }

  /// Breaks a connection that may be broken.
  public static void drop(ScriptedClient gone) {
    try {
      gone.drop();
    } catch (UncheckedIOException e) {
      // Resetting fails if the other side has reset the connection.
    }
  }

  private synchronized @Nullable String sessionId() {
    return sessionId;
  }

  /// Whether there is a connection, as far as this client knows.
  public synchronized boolean connected() {
    return stream != null;
  }

  /// The stanzas that the server has not acknowledged.
  public synchronized int unacknowledged() {
    return unacknowledged.size();
  }

  /// Waits until no more than `most` stanzas are unacknowledged or the connection is lost, but not
  /// longer than that.
  ///
  /// @return whether no more than `most` are unacknowledged
  public synchronized boolean awaitRoom(int most, Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    long left = time.toNanos();
    while (stream != null && unacknowledged.size() > most && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
    return unacknowledged.size() <= most;
  }

  /// Waits until the connection is lost, but not longer than that.
  ///
  /// @return whether it is lost
  public synchronized boolean awaitLoss(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    long left = time.toNanos();
    while (stream != null && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
    return stream == null;
  }

  /// Discards the session, so that the next connection binds a new one; unacknowledged stanzas will
  /// be sent again.
  public synchronized void forgetSession() {
    sessionId = null;
  }

  /// Closes the connection without closing the stream.
  public void cut() {
    ScriptedClient current = abandon();
    if (current != null) {
      drop(current);
    }
  }

  /// Closes the stream and ends the session, without waiting for an answer. What has been received
  /// is acknowledged.
  public void leave() {
    synchronized (receiving) {
      acknowledge();
      write("</stream:stream>");
      forgetSession();
      ScriptedClient current = abandon();
      if (current != null) {
        close(current);
      }
    }
  }

  private static void close(ScriptedClient left) {
    try {
      left.close();
    } catch (UncheckedIOException e) {
      // The other side has closed first.
    }
  }

  /// Abandons the connection without closing it, as if the network had failed: the server may
  /// consider it open for a while.
  ///
  /// @return the connection, so that it can be closed in the end; null if there is none
  public synchronized @Nullable ScriptedClient abandon() {
    ScriptedClient current = stream;
    stream = null;
    notifyAll();
    return current;
  }

  @Override
  public void close() {
    cut();
  }
}
