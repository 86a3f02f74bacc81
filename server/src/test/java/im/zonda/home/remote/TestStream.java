package im.zonda.home.remote;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamLink;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A stream with another server that remembers what it is given.
class TestStream implements ServerStreamLink {
  final List<Stanza> delivered = new ArrayList<>();
  final List<Long> numbers = new ArrayList<>();
  final List<Long> handled = new ArrayList<>();
  int paused;
  boolean closed;
  String trust = "certificate";
  int mostBytes = Integer.MAX_VALUE;
  boolean incoming;
  String address = "192.0.2.1";
  boolean bidirectional;
  @Nullable StreamErrorCondition condition;

  @Override
  public void deliver(DomainPair pair, Stanza stanza, long number, long since) {
    delivered.add(stanza);
    numbers.add(number);
  }

  @Override
  public void handled(long number) {
    handled.add(number);
  }

  @Override
  public void pauseReading() {
    paused++;
  }

  @Override
  public void resumeReading() {
    paused--;
  }

  @Override
  public void close(StreamErrorCondition error, @Nullable String text) {
    closed = true;
    condition = error;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public int maxStanzaBytes() {
    return mostBytes;
  }

  @Override
  public Status status() {
    return new Status(incoming, bidirectional, address, true, trust, true, true);
  }

  /// The number of the last stanza.
  long last() {
    return numbers.getLast();
  }
}
