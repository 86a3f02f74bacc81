package im.zonda.cluster.frame;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Stamp;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Frames with values of every kind, as a seed chooses them. Records are made from their
/// components, so that a new kind of value is covered without a line here.
final class AnyFrames {
  private static final List<String> TEXTS =
      List.of("", "a", "romeo@example.org", "Hällo ✓ 🎈", "x".repeat(300));

  private final SplittableRandom random;

  AnyFrames(SplittableRandom random) {
    this.random = random;
  }

  /// A frame of data with each kind of value, and one with counts.
  List<Frame> everyKind() {
    List<Frame> frames = new ArrayList<>();
    for (Class<?> kind : kinds(NodeValue.class)) {
      frames.add(
          new Frame.Data(
              Frame.VERSION, stamp(), member(), number(), number(), (NodeValue) record(kind)));
    }
    frames.add(
        new Frame.Status(
            Frame.VERSION, stamp(), member(), number(), number(), random.nextBoolean()));
    return frames;
  }

  /// The records of a sealed interface.
  static Set<Class<?>> kinds(Class<?> sealed) {
    Set<Class<?>> kinds = new LinkedHashSet<>();
    for (Class<?> each : sealed.getPermittedSubclasses()) {
      if (each.isSealed()) {
        kinds.addAll(kinds(each));
      } else {
        kinds.add(each);
      }
    }
    return kinds;
  }

  private Stamp stamp() {
    return new Stamp(number(), number());
  }

  private Member member() {
    return new Member(text(), number());
  }

  private String text() {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }

  private long number() {
    return random.nextLong() >>> random.nextInt(1, 64);
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      boolean absent = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
      values[i] = absent && random.nextBoolean() ? null : value(types[i], type);
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object value(Class<?> type, Class<?> holder) {
    if (type == long.class) {
      return number();
    }
    if (type == int.class) {
      return random.nextInt(256);
    }
    if (type == boolean.class) {
      return random.nextBoolean();
    }
    if (type == String.class) {
      return text();
    }
    if (type == StanzaBytes.class) {
      return new StanzaBytes(text().getBytes(StandardCharsets.UTF_8));
    }
    if (type == Set.class) { // all sets are of numbers
      return Set.of(number());
    }
    if (type.isRecord()) {
      return record(type);
    }
    throw new IllegalArgumentException("make a value of " + type + " for " + holder + " here");
  }
}
