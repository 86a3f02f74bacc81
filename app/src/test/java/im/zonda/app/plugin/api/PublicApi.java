package im.zonda.app.plugin.api;

import static java.util.stream.Collectors.joining;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The public signatures of types, one a line. A plugin that was compiled against some signatures
/// runs with later ones if none of the earlier lines is missing, and if no type that plugins
/// implement asks for more.
///
/// A line names what a plugin is compiled against: whether a method has a body is no part of it,
/// except in types that plugins implement.
final class PublicApi {
  /// The line of a method that a class which implements the type must have.
  private static final String REQUIRED = " requires ";

  private static final String PREVIEW = "im.zonda.plugin.Preview";

  /// A type of the server, with its package.
  private static final Pattern NAME = Pattern.compile("\\b(im\\.zonda(?:\\.[a-z]+)*)\\.[A-Z]");

  /// The names of the types that plugins implement.
  private final Set<String> implemented;

  /// The packages that plugins see: what names others is not for them.
  private final Set<String> visible;

  PublicApi(Set<String> implemented, Set<String> visible) {
    this.implemented = Set.copyOf(implemented);
    this.visible = Set.copyOf(visible);
  }

  /// The lines of some types. What is marked as a preview has none.
  SortedSet<String> lines(Collection<JavaClass> types) throws ReflectiveOperationException {
    SortedSet<String> lines = new TreeSet<>();
    for (JavaClass type : types) {
      if (isPublic(type) && !isPreview(type)) {
        add(lines, type);
      }
    }
    return lines;
  }

  /// Why plugins that were compiled against `before` may not run with `now`; empty if they do.
  static List<String> breaks(Collection<String> before, Collection<String> now) {
    List<String> found = new ArrayList<>();
    for (String line : before) {
      if (!now.contains(line) && !line.contains(REQUIRED)) {
        found.add("is gone or changed: " + line);
      }
    }
    for (String line : now) {
      int required = line.indexOf(REQUIRED);
      if (required >= 0 && !before.contains(line)) {
        String type = line.substring(0, required);
        if (before.stream().anyMatch(old -> old.startsWith(type + " "))) {
          found.add("plugins do not have: " + line);
        }
      }
    }
    return found;
  }

  private void add(Set<String> lines, JavaClass described) throws ReflectiveOperationException {
    Class<?> type = Class.forName(described.getName(), false, PublicApi.class.getClassLoader());
    String name = type.getName();
    lines.add(name + " is " + kind(type));
    Class<?> above = type.getSuperclass();
    if (above != null && above != Object.class) {
      lines.add(name + " extends " + type.getGenericSuperclass().getTypeName());
    }
    for (Type each : type.getGenericInterfaces()) {
      lines.add(name + " extends " + each.getTypeName());
    }
    for (Field each : type.getDeclaredFields()) {
      if (isVisible(each.getModifiers()) && !each.isSynthetic()) {
        lines.add(
            name
                + " has "
                + words(each.getModifiers() & ~Modifier.FINAL)
                + each.getGenericType().getTypeName()
                + " "
                + each.getName());
      }
    }
    for (Constructor<?> each : type.getDeclaredConstructors()) {
      if (isVisible(each.getModifiers()) && !each.isSynthetic() && !type.isEnum()) {
        lines.add(name + " has new" + parameters(each));
      }
    }
    Set<String> previews = previews(described);
    for (Method each : type.getDeclaredMethods()) {
      if (isVisible(each.getModifiers())
          && !each.isSynthetic()
          && !previews.contains(each.getName())
          && isVisible(each)) {
        addMethod(lines, name, each);
      }
    }
  }

  private void addMethod(Set<String> lines, String type, Method method) {
    String signature =
        words(method.getModifiers() & (Modifier.STATIC | Modifier.PROTECTED))
            + method.getGenericReturnType().getTypeName()
            + " "
            + method.getName()
            + parameters(method);
    lines.add(type + " has " + signature);
    if (implemented.contains(type) && Modifier.isAbstract(method.getModifiers())) {
      lines.add(type + REQUIRED + signature);
    }
  }

  private static String kind(Class<?> type) {
    String word =
        type.isAnnotation()
            ? "annotation"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    int relevant = Modifier.STATIC | Modifier.PROTECTED;
    relevant |= word.equals("class") ? Modifier.ABSTRACT | Modifier.FINAL : 0;
    String parameters =
        type.getTypeParameters().length == 0
            ? ""
            : Arrays.stream(type.getTypeParameters())
                .map(each -> each + bounds(each.getBounds()))
                .collect(joining(", ", " <", ">"));
    // Who switches over a sealed type must know all that there are.
    String permitted =
        type.isSealed()
            ? Arrays.stream(type.getPermittedSubclasses())
                .map(Class::getName)
                .sorted()
                .collect(joining(", ", " of ", ""))
            : "";
    return words(type.getModifiers() & relevant) + word + parameters + permitted;
  }

  private static String bounds(Type[] bounds) {
    return Arrays.stream(bounds)
        .filter(bound -> bound != Object.class)
        .map(bound -> " extends " + bound.getTypeName())
        .collect(joining());
  }

  private static String parameters(Executable executable) {
    String types =
        Arrays.stream(executable.getGenericParameterTypes())
            .map(Type::getTypeName)
            .collect(joining(", ", "(", ")"));
    Type[] thrown = executable.getGenericExceptionTypes();
    return thrown.length == 0
        ? types
        : types
            + Arrays.stream(thrown)
                .map(Type::getTypeName)
                .sorted()
                .collect(joining(", ", " throws ", ""));
  }

  private static String words(int modifiers) {
    String words = Modifier.toString(modifiers & ~Modifier.PUBLIC);
    return words.isEmpty() ? "" : words + " ";
  }

  /// Whether a plugin can name all types of a method.
  private boolean isVisible(Method method) {
    String all = method.toGenericString();
    return NAME.matcher(all).results().allMatch(name -> visible.contains(name.group(1)));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /// The names of the methods that are previews. Their annotation is not kept at run time.
  private static Set<String> previews(JavaClass type) {
    Set<String> names = new TreeSet<>();
    for (JavaMethod each : type.getMethods()) {
      if (isPreview(each)) {
        names.add(each.getName());
      }
    }
    return names;
  }

  /// Whether a method or constructor may change with any version.
  static boolean isPreview(JavaCodeUnit unit) {
    return unit.isAnnotatedWith(PREVIEW);
  }

  private static boolean isPreview(JavaClass type) {
    return type.isAnnotatedWith(PREVIEW)
        || type.getEnclosingClass().map(PublicApi::isPreview).orElse(false);
  }

  /// Whether other packages see a type.
  static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(PublicApi::isPublic).orElse(true);
  }
}
