package im.zonda.home.component;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.ComponentLink;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The stream of a component, which keeps what it is given.
final class RecordingComponent implements ComponentLink {
  final List<String> delivered = new ArrayList<>();
  long number;
  long written;
  @Nullable StreamErrorCondition closed;

  private final Jid domain;

  RecordingComponent(Jid domain) {
    this.domain = domain;
  }

  @Override
  public Jid domain() {
    return domain;
  }

  @Override
  public void deliver(Stanza stanza, long newNumber, long since) {
    assertThat(newNumber).isEqualTo(++number);
    delivered.add(String.valueOf(stanza.id()));
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    closed = condition;
  }

  @Override
  public void pauseReading() {}

  @Override
  public void resumeReading() {}
}
