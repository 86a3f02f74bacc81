package im.zonda.home.lifecycle;

import im.zonda.link.StreamEnd;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The stream's end of a link that keeps what it receives.
public class RecordingStream implements StreamEnd {
  private final List<ToStream> values = new ArrayList<>();
  private CompletableFuture<ToStream> answer = new CompletableFuture<>();

  @Override
  public synchronized void receive(ToStream value) {
    values.add(value);
    if (!(value instanceof ToStream.Deliver
        || value instanceof ToStream.Handled
        || value instanceof ToStream.PauseReading
        || value instanceof ToStream.ResumeReading
        || value instanceof ToStream.Close)) {
      answer.complete(value);
    }
  }

  /// What answers the next request; to be called before the request.
  public synchronized CompletableFuture<ToStream> answer() {
    answer = new CompletableFuture<>();
    return answer;
  }

  /// All that it received, in order.
  public synchronized List<ToStream> values() {
    return List.copyOf(values);
  }

  private synchronized <V> List<V> values(Class<V> type) {
    return values.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /// What was delivered, in order.
  public List<ToStream.Deliver> delivered() {
    return values(ToStream.Deliver.class);
  }

  /// What was sent, in order.
  public List<Stanza> stanzas() {
    return delivered().stream().map(ToStream.Deliver::stanza).toList();
  }

  /// The texts of what was sent, in order.
  public List<String> texts() {
    return stanzas().stream().map(TestStanzas::text).toList();
  }

  /// The last count of the client's handled stanzas that the stream has received; 0 if none.
  public long handled() {
    long h = 0;
    for (ToStream value : values()) {
      switch (value) {
        case ToStream.Handled handled -> h = handled.h();
        case ToStream.Resumed resumed -> h = resumed.handled();
        default -> {}
      }
    }
    return h;
  }

  /// With what it was closed, or null.
  @Nullable StreamErrorCondition closedWith() {
    List<ToStream.Close> all = values(ToStream.Close.class);
    return all.isEmpty() ? null : all.getFirst().condition();
  }
}
