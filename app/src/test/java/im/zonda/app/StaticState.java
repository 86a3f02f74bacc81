package im.zonda.app;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.AbstractCollection;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/// Finds static fields through which something can be changed. Looks at the values that the fields
/// hold and at all that can be reached from them, because a `List` may be an `ArrayList`.
final class StaticState {
  /// Types of the JDK and of libraries whose instances do not change. A logger is the one exception
  /// that has state of its own.
  private static final List<Class<?>> VALUES =
      List.of(
          RecordComponent.class,
          CharSequence.class,
          Number.class,
          Character.class,
          Boolean.class,
          OptionalLong.class,
          Class.class,
          Pattern.class,
          ScopedValue.class,
          Charset.class,
          Locale.class,
          Path.class,
          ByteOrder.class,
          ZoneId.class,
          Clock.class,
          TemporalAccessor.class,
          TemporalAmount.class,
          VarHandle.class,
          MethodHandle.class,
          Method.class, // keeps how it is called
          AtomicIntegerFieldUpdater.class,
          AtomicLongFieldUpdater.class,
          AtomicReferenceFieldUpdater.class,
          Logger.class);

  /// The same for types that are not public.
  private static final Set<String> VALUE_NAMES =
      Set.of(
          "com.ibm.icu.impl.UTS46",
          "com.unboundid.ldap.sdk.ResultCode",
          "im.zonda.jid.Jid", // keeps forms of itself once they have been made
          "java.time.format.DateTimeFormatter",
          "java.util.Base64$Encoder",
          "java.util.Base64$Decoder",
          "java.util.HexFormat");

  /// What [List#of], [Map#entry] and the like make. An unmodifiable view counts because nobody can
  /// reach what is behind it through the field.
  private static final List<String> IMMUTABLE =
      List.of(
          "java.util.ImmutableCollections",
          "java.util.KeyValueHolder",
          "java.util.Collections$Empty",
          "java.util.Collections$Unmodifiable");

  /// Superclasses whose only state is a cache of views.
  private static final Set<Class<?>> SKELETONS =
      Set.of(AbstractCollection.class, AbstractList.class, AbstractMap.class, AbstractSet.class);

  private final Set<String> exceptions;
  private final Set<String> used = new java.util.TreeSet<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<String> found = new ArrayList<>();

  /// @param exceptions fields that may hold anything, as `Type.field`
  StaticState(Set<String> exceptions) {
    this.exceptions = exceptions;
  }

  /// The static fields of these classes through which something can be changed, with the path to
  /// it; and exceptions that are not needed.
  List<String> find(Collection<Class<?>> classes) throws IllegalAccessException {
    for (Class<?> type : classes) {
      for (Field field : type.getDeclaredFields()) {
        String name = type.getName() + "." + field.getName();
        if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          if (!Modifier.isFinal(field.getModifiers())) {
            report(name, "is not final");
          } else if (!field.getType().isPrimitive()) {
            look(name, name, value(field, null), isHidden(field));
          }
        }
      }
    }
    exceptions.stream()
        .filter(name -> !used.contains(name))
        .forEach(name -> found.add(name + " needs no exception"));
    return found;
  }

  private static boolean isHidden(Field field) {
    return Modifier.isPrivate(field.getModifiers());
  }

  private static @Nullable Object value(Field field, @Nullable Object owner)
      throws IllegalAccessException {
    field.setAccessible(true);
    return field.get(owner);
  }

  private void report(String path, String problem) {
    String field = path.split("[\\[ ]", -1)[0];
    if (exceptions.contains(field)) {
      used.add(field);
    } else {
      found.add(path + " " + problem);
    }
  }

  /// @param hidden whether nothing but the declaring class can reach the value
  private void look(String field, String path, @Nullable Object value, boolean hidden)
      throws IllegalAccessException {
    if (value == null || isValue(value) || !seen.add(value)) {
      return;
    }
    Class<?> type = value.getClass();
    if (type.isArray()) {
      // An array is a constant if nobody else can get at it.
      if (!hidden) {
        report(path, "is an array that others can change");
      }
      for (int i = 0; !type.getComponentType().isPrimitive() && i < Array.getLength(value); i++) {
        look(field, field + " [" + i + "]", Array.get(value, i), hidden);
      }
    } else if (value instanceof Map<?, ?> map && isImmutable(type)) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        look(field, field + " key", entry.getKey(), false);
        look(field, field + " value of " + entry.getKey(), entry.getValue(), false);
      }
    } else if (value instanceof Collection<?> collection && isImmutable(type)) {
      for (Object element : collection) {
        look(field, field + " element", element, false);
      }
    } else if (value instanceof Map.Entry<?, ?> entry && isImmutable(type)) {
      look(field, field + " key", entry.getKey(), false);
      look(field, field + " value", entry.getValue(), false);
    } else if (value instanceof Optional<?> optional) {
      look(field, field + " content", optional.orElse(null), false);
    } else if (isOurs(type)) {
      lookInside(field, value);
    } else {
      report(path, "holds a " + type.getName());
    }
  }

  private void lookInside(String field, Object value) throws IllegalAccessException {
    for (Class<?> type = value.getClass();
        type != null && type != Object.class && type != Enum.class && type != Record.class;
        type = type.getSuperclass()) {
      if (SKELETONS.contains(type)) {
        continue;
      }
      if (!isOurs(type)) {
        report(field + " superclass", "is a " + type.getName());
        return;
      }
      for (Field inner : type.getDeclaredFields()) {
        if (Modifier.isStatic(inner.getModifiers())) {
          continue;
        }
        String path = field + " " + type.getSimpleName() + "." + inner.getName();
        if (!Modifier.isFinal(inner.getModifiers())) {
          report(path, "is not final");
        }
        look(field, path, value(inner, value), isHidden(inner));
      }
    }
  }

  private static boolean isValue(Object value) {
    if (VALUE_NAMES.contains(value.getClass().getName())) {
      return true;
    }
    String name = value.getClass().getName();
    boolean isComparator =
        name.startsWith("java.util.Comparator")
            || name.startsWith("java.util.Collections$ReverseComparator");
    if (isComparator || (value instanceof Enum && !isOurs(value.getClass()))) {
      return true;
    }
    return !isBuilder(value) && VALUES.stream().anyMatch(type -> type.isInstance(value));
  }

  private static boolean isBuilder(Object value) {
    return value instanceof StringBuilder
        || value instanceof StringBuffer
        || value instanceof AtomicInteger
        || value instanceof AtomicLong
        || value instanceof LongAdder;
  }

  private static boolean isImmutable(Class<?> type) {
    return IMMUTABLE.stream().anyMatch(type.getName()::startsWith);
  }

  private static boolean isOurs(Class<?> type) {
    return Arrays.asList("im.zonda", "planted").stream()
        .anyMatch(root -> type.getName().startsWith(root + "."));
  }
}
