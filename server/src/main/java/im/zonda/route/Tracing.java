package im.zonda.route;

import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.module.Envelope;
import im.zonda.module.Tracer;
import im.zonda.stanza.Stanza;
import im.zonda.trace.Verdict;
import org.jspecify.annotations.Nullable;

/// The way of messages to the one who notes their steps, if there is any at present. While nothing
/// is traced a step costs one load and one branch. Any thread may call.
public final class Tracing implements Tracer {
  private volatile @Nullable Recorder recorder;

  /// Notes steps of messages, if these are traced. Any thread may call; nothing blocks.
  public interface Recorder {
    /// A stanza has reached the server.
    ///
    /// @param identity by which all nodes recognise the stanza, or 0
    /// @return by which its steps are found; 0 if it is not traced
    long received(Stanza stanza, long identity, Arrival arrival);

    /// A message has reached that step.
    ///
    /// @return whether it is traced
    boolean step(Envelope envelope, Place place, Verdict verdict, @Nullable String detail);

    /// A stanza was not delivered as usual.
    ///
    /// @param trace by which its steps are found; 0 if that is not known
    void decided(Journal.Entry entry, long trace);

    /// A step of a message of which no more is known.
    void step(long trace, Place place, Verdict verdict, @Nullable String detail);
  }

  /// How a stanza has reached the server.
  ///
  /// @param place where
  /// @param network the network address of its client, or null
  /// @param nanos how long ago that was
  /// @param detail what it came from, such as a resource, or null
  public record Arrival(
      Place place, @Nullable String network, long nanos, @Nullable String detail) {}

  Tracing() {}

  /// Has `next` get what is traced from now on; null if nothing is.
  public void recordBy(@Nullable Recorder next) {
    recorder = next;
  }

  @Override
  public boolean on() {
    return recorder != null;
  }

  @Override
  public void step(Envelope envelope, Place place, Verdict verdict, @Nullable String detail) {
    boolean _ = noted(envelope, place, verdict, detail);
  }

  /// As [#step]; says whether the message is traced.
  public boolean noted(Envelope envelope, Place place, Verdict verdict, @Nullable String detail) {
    Recorder present = recorder;
    return present != null && present.step(envelope, place, verdict, detail);
  }

  /// See [Recorder#received].
  public long received(Stanza stanza, long identity, Arrival arrival) {
    Recorder present = recorder;
    return present == null ? 0 : present.received(stanza, identity, arrival);
  }

  /// See [Recorder#decided].
  public void decided(Journal.Entry entry, long trace) {
    Recorder present = recorder;
    if (present != null) {
      present.decided(entry, trace);
    }
  }

  /// See [Recorder#step(long, Place, Verdict, String)].
  public void step(long trace, Place place, Verdict verdict, @Nullable String detail) {
    Recorder present = recorder;
    if (present != null && trace != 0) {
      present.step(trace, place, verdict, detail);
    }
  }
}
