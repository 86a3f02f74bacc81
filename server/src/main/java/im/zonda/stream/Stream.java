package im.zonda.stream;

import im.zonda.jfr.StreamOpened;
import im.zonda.jid.Jid;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One XML stream (RFC 6120, section 4), from the connection to its end: headers, timeouts, errors
/// and pauses. A state machine without sockets, and without knowledge of who the peer is: that is
/// its [StreamRole].
///
/// Confined to the stream's thread (see [StreamTransport]). A transport gives it the peer's
/// headers, frames and end of stream, by the methods of [FrameHandler]; transports of bytes do that
/// through a [ByteStream].
public final class Stream implements FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Stream.class);

  private final StreamProfile profile;
  private final StreamTransport transport;
  private final StreamInput input;
  private final StreamRole role;

  private long lastInput;

  /// When the connection was made, or when the peer was pinged; in the peer's time.
  private long since;

  /// Reasons not to read from the peer.
  private int pauses;

  /// Reasons not to process input.
  private int suspensions;

  /// While input is read: the time that has passed without reading. Otherwise the peer's time,
  /// which stands still.
  private long unreadTime;

  private boolean opened;
  private boolean established;
  private boolean pinged;
  private boolean closed;
  private boolean outputEnded;

  /// A stream on a new connection.
  public Stream(StreamProfile profile, StreamTransport transport, StreamInput input) {
    this.profile = profile;
    this.transport = transport;
    this.input = input;
    this.lastInput = transport.now();
    this.since = lastInput;
    this.role = profile.roles().create(this);
  }

  // ---- for the transport

  /// The connection is ready; to be called once, before all else, by transports of initiating
  /// streams.
  public void connected() {
    if (!closed) {
      role.connected();
    }
  }

  /// The TLS handshake has succeeded.
  public void secured() {
    if (!closed) {
      role.secured();
    }
  }

  /// The peer has sent input, which may be white space.
  public void noteInput() {
    lastInput = peerTime();
    pinged = false;
  }

  @Override
  public void onStreamOpen(StreamHeader header) {
    if (closed) {
      return;
    }
    StreamProfile.Headers form = profile.headers();
    StreamErrorCondition error = HeaderRules.checkForm(header, form);
    if (form.initiating()) {
      if (error == null) {
        role.opened(header, header.attribute("id"));
      } else {
        fail(error, null);
      }
      return;
    }
    HeaderReply reply = // null if the role answers later
        error == null
            ? role.answer(header)
            : HeaderReply.reject(null, HeaderRules.bareFrom(header), error);
    if (reply == null) {
      return;
    }
    String lang = StreamLang.ofServer(StreamLang.checked(header.lang()));
    String id = profile.ids().next();
    writeHeader(reply.from(), reply.to(), id, lang);
    if (reply.error() == null) {
      role.opened(header, id);
    } else {
      fail(reply.error(), null);
    }
  }

  @Override
  public void onFrame(Frame frame) {
    if (!closed) {
      role.receive(frame);
    }
  }

  @Override
  public void onStreamClose() {
    finish();
  }

  /// The peer has sent something that is no XML stream.
  void rejectInput(XmlException cause) {
    LOG.atDebug()
        .addKeyValue("address", address())
        .addKeyValue("reason", cause.getMessage())
        .log("stream_input_refused");
    fail(StreamErrorCondition.valueOf(cause.condition().name()), null);
  }

  /// Checks timeouts; to be called about once a second.
  public void tick() {
    if (closed) {
      return;
    }
    StreamProfile.Times times = profile.times();
    long now = peerTime();
    if (!established) {
      if (now - since > times.negotiation().toMillis()) {
        fail(StreamErrorCondition.CONNECTION_TIMEOUT, "negotiation took too long");
      }
    } else if (!role.tick(transport.now())) {
      drop(StreamErrorCondition.CONNECTION_TIMEOUT, null);
    } else if (pinged) {
      if (now - since > times.ping().toMillis()) {
        drop(StreamErrorCondition.CONNECTION_TIMEOUT, null);
      }
    } else if (now - lastInput > times.idle().toMillis()) {
      pinged = true;
      since = now;
      role.ping();
    }
  }

  /// The connection is gone.
  public void disconnected() {
    if (!closed) {
      closed = true;
      role.ended(true);
    }
    outputEnded();
  }

  /// More waits for the peer than may wait, and the transport has discarded it.
  public void overflowed() {
    drop(StreamErrorCondition.RESOURCE_CONSTRAINT, "too much is waiting to be read");
  }

  /// Called before output is flushed.
  public void flushing() {
    role.flushing();
  }

  /// The bytes of the stanzas that were to be reported have left, up to that number. Also called
  /// after the end of the stream.
  public void written(long number) {
    role.written(number);
  }

  /// The connection takes no more output, and all that has left has been reported by [#written]. To
  /// be called after the end of the stream; [#disconnected] includes it. More calls do nothing.
  public void outputEnded() {
    if (!outputEnded) {
      outputEnded = true;
      role.outputEnded();
    }
  }

  /// The server stops.
  public void shutdown() {
    if (!closed) {
      role.stopping();
      drop(StreamErrorCondition.SYSTEM_SHUTDOWN, null);
    }
  }

  /// Ends the stream for a reason that the peer is not to blame for. A peer that can resume its
  /// session loses the connection alone: many clients take a stream error, and the end of the
  /// stream, for the end of the session. A stream that is not closed cleanly is unfinished
  /// (XEP-0198, section 7).
  private void drop(StreamErrorCondition condition, @Nullable String text) {
    if (closed || !role.isResumable() || !transport.mayBreak()) {
      fail(condition, text);
      return;
    }
    LOG.atDebug()
        .addKeyValue("jid", role.peer())
        .addKeyValue("condition", condition.elementName())
        .log("stream_dropped");
    role.closing();
    close(true, false);
  }

  /// Whether the peer can resume its session on another stream.
  public boolean isResumable() {
    return !closed && role.isResumable();
  }

  /// Whether the stream has ended.
  public boolean closed() {
    return closed;
  }

  /// Whether negotiation is complete (RFC 6120, section 4.3.5).
  public boolean isEstablished() {
    return established;
  }

  /// The account or domain of the peer, or null as long as it has not been accepted.
  public @Nullable Jid account() {
    Jid peer = role.peer();
    return peer == null ? null : peer.bare();
  }

  /// What it has in common with other streams of its kind.
  public StreamProfile profile() {
    return profile;
  }

  /// The content namespace.
  public String namespace() {
    return profile.headers().namespace();
  }

  // ---- for the role: output

  /// The transport that carries the stream.
  public StreamTransport transport() {
    return transport;
  }

  /// Sends the header of the initiating entity.
  public void open(@Nullable Jid from, Jid to) {
    writeHeader(from, to, null, StreamLang.ofServer(null));
  }

  private void writeHeader(@Nullable Jid from, @Nullable Jid to, @Nullable String id, String lang) {
    StreamProfile.Headers form = profile.headers();
    open(
        new StreamOpening(form.namespace(), from, to, id, lang, form.versioned(), form.prefixes()));
  }

  /// Sends the header with which a role answers later than in [StreamRole#answer].
  public void open(StreamOpening opening) {
    opened = true;
    transport.open(opening);
  }

  /// Writes a first-level element.
  public void write(Element element) {
    transport.write(element);
  }

  // ---- for the role: negotiation

  /// Expects a new stream header, and remembers nothing of the old stream (RFC 6120, section
  /// 4.3.3).
  public void restart() {
    input.restart();
    opened = false;
  }

  /// Begins TLS with the frame that is being handled, and restarts the stream.
  ///
  /// @param last an element that still goes out in the clear, such as `<proceed/>`, or null
  public void startTls(TlsStart start, @Nullable Element last) {
    input.prepareTls(() -> {
      if (last != null) {
        transport.write(last);
      }
      transport.startTls(start);
      restart();
    });
  }

  /// The peer has proved its identity: from now on it may send what `limits` allow.
  public void authenticated(InputLimits limits) {
    transport.authenticated();
    input.setLimits(limits);
  }

  /// Negotiation is complete: an idle peer is pinged from now on.
  public void establish() {
    established = true;
    StreamOpened.record(profile.headers().namespace(), transport.secure(), transport.now() - since);
  }

  /// Suspends the processing of input after the current frame, and reading, until [#resumeInput]
  /// has been called as often as this.
  public void suspendInput() {
    if (suspensions++ == 0) {
      input.suspend();
      pauseReading();
    }
  }

  /// Undoes one [#suspendInput]; input that has come since is processed within this call.
  public void resumeInput() {
    if (--suspensions == 0) {
      input.resume();
      resumeReading();
    }
  }

  /// Whether input is kept and not processed at present.
  boolean isInputSuspended() {
    return suspensions > 0;
  }

  /// Runs `work` on a thread that may block, then what it returns on the stream's thread, or
  /// `failed` if it throws. Input is suspended meanwhile; nothing runs once the stream has ended.
  public void runBlocking(Callable<Runnable> work, Consumer<Exception> failed) {
    suspendInput();
    try {
      profile
          .workers()
          .execute(() -> {
            Runnable then = outcome(work, failed);
            transport.execute(() -> {
              if (!closed) {
                then.run();
                resumeInput();
              }
            });
          });
    } catch (RejectedExecutionException e) {
      LOG.atWarn().setCause(e).log("stream_work_rejected");
      fail(StreamErrorCondition.RESOURCE_CONSTRAINT, null);
    }
  }

  private static Runnable outcome(Callable<Runnable> work, Consumer<Exception> failed) {
    try {
      return work.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return () -> failed.accept(e);
    } catch (Exception e) {
      return () -> failed.accept(e);
    }
  }

  // ---- for the role: flow and time

  /// Stops reading from the peer until [#resumeReading] has been called as often as this.
  public void pauseReading() {
    if (pauses == 0) {
      unreadTime = peerTime();
      transport.reading(false);
    }
    pauses++;
  }

  /// Undoes one [#pauseReading].
  public void resumeReading() {
    if (--pauses == 0) {
      unreadTime = transport.now() - unreadTime;
      if (!closed) {
        transport.reading(true);
      }
    }
  }

  /// Milliseconds of a clock that stands still while the server does not read. The time that a peer
  /// is given is measured by it, because an answer may wait unread.
  public long peerTime() {
    return pauses > 0 ? unreadTime : transport.now() - unreadTime;
  }

  private String address() {
    return transport.remoteAddress().getHostAddress();
  }

  // ---- the end

  /// Handles an element of the stream namespace: the peer's stream error, or one that is not
  /// allowed.
  public void receiveStreamElement(QName name) {
    if (name.name().equals("error")) {
      LOG.atDebug().addKeyValue("address", address()).log("stream_error_received");
      finish();
    } else {
      fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  /// Ends the stream with an error (RFC 6120, section 4.9). Does nothing if it has ended.
  public void fail(StreamErrorCondition condition, @Nullable String text) {
    fail(condition, text, null);
  }

  /// The same with an application-specific condition.
  public void fail(
      StreamErrorCondition condition, @Nullable String text, @Nullable Element detail) {
    if (closed) {
      return;
    }
    if (!opened && !profile.headers().initiating()) {
      // An error is part of a stream: without a header it cannot be read (section 4.9.1.2).
      writeHeader(null, null, profile.ids().next(), StreamLang.ofServer(null));
    }
    LOG.atDebug()
        .addKeyValue("address", address())
        .addKeyValue("jid", role.peer())
        .addKeyValue("condition", condition.elementName())
        .log("stream_error");
    try {
      if (opened) {
        role.closing();
        transport.write(StreamXml.error(condition, text, detail));
      }
    } finally {
      close(isPeerBlameless(condition), true);
    }
  }

  private static boolean isPeerBlameless(StreamErrorCondition condition) {
    return switch (condition) {
      case CONNECTION_TIMEOUT, RESOURCE_CONSTRAINT, SYSTEM_SHUTDOWN -> true;
      default -> false;
    };
  }

  /// Closes the stream without an error. Does nothing if it has ended.
  public void finish() {
    if (!closed) {
      role.closing();
      close(false, true);
    }
  }

  /// @param lost whether the session may go on
  /// @param cleanly whether the stream is closed with an end tag
  private void close(boolean lost, boolean cleanly) {
    closed = true;
    try {
      if (opened && cleanly) {
        transport.closeStream();
      }
      role.ended(lost);
    } finally {
      transport.close(); // even if a step before has failed
    }
  }
}
