package im.zonda.cluster.frame;

import im.zonda.cluster.frame.NodeValue.AlreadyHandled;
import im.zonda.cluster.frame.NodeValue.Answer;
import im.zonda.cluster.frame.NodeValue.Ask;
import im.zonda.cluster.frame.NodeValue.Collect;
import im.zonda.cluster.frame.NodeValue.Copied;
import im.zonda.cluster.frame.NodeValue.Copies;
import im.zonda.cluster.frame.NodeValue.Copy;
import im.zonda.cluster.frame.NodeValue.FromSession;
import im.zonda.cluster.frame.NodeValue.FromStream;
import im.zonda.cluster.frame.NodeValue.HeldEnd;
import im.zonda.cluster.frame.NodeValue.Oldest;
import im.zonda.cluster.frame.NodeValue.Opened;
import im.zonda.cluster.frame.NodeValue.Posted;
import im.zonda.cluster.frame.NodeValue.Removed;
import im.zonda.cluster.frame.NodeValue.Route;
import im.zonda.cluster.frame.NodeValue.SessionHandled;
import im.zonda.cluster.frame.NodeValue.Stored;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The binary form of one kind of [NodeValue]. A new kind is one more entry of the list here. Tags
/// and the order of fields never change. A later version may add fields behind those of an earlier
/// one, which ignores them.
///
/// @param tag says which kind it is; never used again for another one. 3 to 16, 18 and 22 were
///   kinds once.
record NodeValueCodec<T extends NodeValue>(
    int tag, Class<T> type, BiConsumer<T, FrameOutput> writer, FrameInput.Reader<T> reader) {

  private static final List<NodeValueCodec<?>> ALL =
      List.of(
          form(
              1,
              Route.class,
              (value, out) -> {
                out.number(value.entry());
                out.text(value.owner());
                out.stanza(value.stanza());
                out.number(value.identity());
                out.number(value.age());
                if (value.trace() != 0) {
                  out.number(value.trace());
                }
              },
              in ->
                  new Route(
                      in.number(),
                      in.text(),
                      in.stanza(),
                      in.laterNumber(),
                      in.laterNumber(),
                      in.laterNumber())),
          form(
              2,
              Stored.class,
              (value, out) -> out.number(value.entry()),
              in -> new Stored(in.number())),
          form(
              17,
              Collect.class,
              (value, out) -> out.number(value.segment()),
              in -> new Collect(segment(in))),
          form(
              19,
              HeldEnd.class,
              (value, out) -> out.number(value.segment()),
              in -> new HeldEnd(segment(in))),
          form(
              20,
              AlreadyHandled.class,
              (value, out) -> {
                out.number(value.segment());
                out.text(value.source());
                out.number(value.oldest());
                out.all(new TreeSet<>(value.entries()), out::number);
                out.text(value.by());
              },
              in ->
                  new AlreadyHandled(
                      segment(in),
                      in.text(),
                      in.number(),
                      Set.copyOf(in.all(FrameInput::number)),
                      in.laterText())),
          form(
              21,
              Oldest.class,
              (value, out) -> out.number(value.entry()),
              in -> new Oldest(in.number())),
          form(
              23,
              Opened.class,
              (value, out) -> out.number(value.segment()),
              in -> new Opened(segment(in))),
          form(
              24,
              SessionHandled.class,
              (value, out) -> {
                out.number(value.entry());
                out.text(value.owner());
                out.text(value.session());
                out.number(value.number());
              },
              in -> new SessionHandled(in.number(), in.text(), in.text(), in.number())),
          form(
              25,
              Ask.class,
              (value, out) -> {
                out.number(value.ask());
                out.text(value.owner());
                out.text(value.address());
              },
              in -> new Ask(in.number(), in.text(), in.text())),
          form(
              26,
              Answer.class,
              (value, out) -> {
                out.number(value.ask());
                out.flag(value.exists());
              },
              in -> new Answer(in.number(), in.flag())),
          form(
              27,
              FromStream.class,
              (value, out) -> {
                out.text(value.owner());
                out.number(value.link());
                out.number(value.number());
                out.bytes(value.value().array());
              },
              in ->
                  new FromStream(in.text(), in.number(), in.number(), new StanzaBytes(in.bytes()))),
          form(
              28,
              FromSession.class,
              (value, out) -> {
                out.number(value.link());
                out.number(value.number());
                out.bytes(value.value().array());
              },
              in -> new FromSession(in.number(), in.number(), new StanzaBytes(in.bytes()))),
          form(
              29,
              Copy.class,
              (value, out) -> {
                out.number(value.segment());
                out.stamp(value.term());
                out.number(value.version());
                out.text(value.home());
                out.text(value.key());
                out.optional(value.state(), state -> out.bytes(state.array()));
              },
              in ->
                  new Copy(
                      segment(in),
                      in.stamp(),
                      in.number(),
                      in.text(),
                      in.text(),
                      in.optional(each -> new StanzaBytes(each.bytes())))),
          form(
              30,
              Copies.class,
              (value, out) -> {
                out.number(value.segment());
                out.stamp(value.term());
                out.number(value.version());
                out.flag(value.complete());
              },
              in -> new Copies(segment(in), in.stamp(), in.number(), in.flag())),
          form(
              31,
              Copied.class,
              (value, out) -> {
                out.number(value.segment());
                out.stamp(value.term());
                out.number(value.version());
                out.flag(value.complete());
              },
              in -> new Copied(segment(in), in.stamp(), in.number(), in.flag())),
          form(
              40,
              Posted.class,
              (value, out) -> {
                out.text(value.owner());
                out.number(value.number());
                out.bytes(value.value().array());
              },
              in -> new Posted(in.text(), in.number(), new StanzaBytes(in.bytes()))),
          form(
              41,
              Removed.class,
              (value, out) -> {
                out.number(value.entry());
                out.text(value.owner());
              },
              in -> new Removed(in.number(), in.text())));

  private static final Map<Class<?>, NodeValueCodec<?>> BY_TYPE =
      ALL.stream().collect(Collectors.toUnmodifiableMap(NodeValueCodec::type, form -> form));
  private static final Map<Integer, NodeValueCodec<?>> BY_TAG =
      ALL.stream().collect(Collectors.toUnmodifiableMap(NodeValueCodec::tag, form -> form));

  /// Kinds that are sent again in each placement until [Stored].
  private static final Set<Class<?>> WITH_ENTRY =
      Set.of(Route.class, SessionHandled.class, Removed.class);

  /// The form of the kind of a value.
  @SuppressWarnings("unchecked") // the key is the type
  static <T extends NodeValue> NodeValueCodec<T> of(T value) {
    NodeValueCodec<?> form = BY_TYPE.get(value.getClass());
    if (form == null) {
      throw new IllegalArgumentException("no form of " + value.getClass());
    }
    return (NodeValueCodec<T>) form;
  }

  /// The form of a tag; null if there is none.
  static @Nullable NodeValueCodec<?> of(int tag) {
    return BY_TAG.get(tag);
  }

  /// The number of the entry in the sender's outbox, which is the first field of values that have
  /// one; empty if there is none, or it cannot be read.
  static List<Long> entries(int tag, StanzaBytes fields) {
    NodeValueCodec<?> form = of(tag);
    if (form == null || !WITH_ENTRY.contains(form.type())) {
      return List.of();
    }
    try {
      return List.of(new FrameInput(fields.array()).number());
    } catch (FrameFormatException e) {
      return List.of();
    }
  }

  /// All kinds that have a form.
  static Set<Class<?>> types() {
    return BY_TYPE.keySet();
  }

  private static <T extends NodeValue> NodeValueCodec<T> form(
      int tag, Class<T> type, BiConsumer<T, FrameOutput> writer, FrameInput.Reader<T> reader) {
    return new NodeValueCodec<>(tag, type, writer, reader);
  }

  private static int segment(FrameInput in) throws FrameFormatException {
    long segment = in.number();
    if (segment > Integer.MAX_VALUE) {
      throw new FrameFormatException("no segment");
    }
    return (int) segment;
  }
}
