package im.zonda.stream.server;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamGate;
import im.zonda.link.ServerStreamLink;
import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Records what the streams report, one line each.
final class FakeServerGate implements ServerStreamGate {
  private String detail = "";
  final List<String> events = new ArrayList<>();
  final List<Stanza> stanzas = new ArrayList<>();
  private @Nullable ServerStreamLink link;

  /// The link that has reported last.
  ServerStreamLink link() {
    return Objects.requireNonNull(link);
  }

  /// What the last failure says; empty before.
  String detail() {
    return detail;
  }

  /// What was reported since the last call.
  List<String> take() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  private void add(String event, DomainPair pair, ServerStreamLink from) {
    link = from;
    events.add(event + " " + pair.local() + " " + pair.remote());
  }

  @Override
  public void accepted(DomainPair pair, ServerStreamLink from) {
    add("accepted", pair, from);
  }

  @Override
  public void ready(DomainPair pair, ServerStreamLink from) {
    add("ready", pair, from);
  }

  @Override
  public void received(DomainPair pair, Stanza stanza, long number, ServerStreamLink from) {
    stanzas.add(stanza);
    add("received " + number, pair, from);
  }

  @Override
  public void answered(DomainPair pair, Stanza answer, ServerStreamLink from) {
    stanzas.add(answer);
    add("answered", pair, from);
  }

  @Override
  public void acknowledged(DomainPair pair, long number, ServerStreamLink from) {
    add("acknowledged " + number, pair, from);
  }

  @Override
  public void interrupted(DomainPair pair, ServerStreamLink from) {
    add("interrupted", pair, from);
  }

  @Override
  public void resumed(DomainPair pair, ServerStreamLink from) {
    add("resumed", pair, from);
  }

  @Override
  public void failed(DomainPair pair, ServerStreamFailure failure) {
    detail = failure.detail();
    events.add("failed " + pair.local() + " " + pair.remote() + " " + failure.reason());
  }

  @Override
  public void ended(DomainPair pair, ServerStreamLink from, ServerStreamFailure failure) {
    add("ended " + failure.reason(), pair, from);
  }
}
