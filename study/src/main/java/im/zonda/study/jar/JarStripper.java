package im.zonda.study.jar;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.attribute.SourceDebugExtensionAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/// Takes line numbers, local variables and names of source files out of the classes of jars. A
/// class that the ClassFile API cannot write again stays as it is.
public final class JarStripper implements AutoCloseable {
  /// All jars, open: a resolver looks for many thousands of classes.
  private final List<JarFile> open = new ArrayList<>();

  private final Map<String, JarFile> classes = new HashMap<>();
  private final ClassFile format;

  /// @param all the jars of the program, whose classes stack maps may name
  /// @throws IOException if one of them cannot be read
  public JarStripper(Iterable<Path> all) throws IOException {
    for (Path jar : all) {
      JarFile file = new JarFile(jar.toFile(), false);
      open.add(file);
      file.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
          .forEach(name -> classes.putIfAbsent(name, file));
    }
    ClassHierarchyResolver resolver =
        ClassHierarchyResolver.ofResourceParsing(this::open)
            .orElse(ClassHierarchyResolver.defaultResolver())
            .cached();
    format =
        ClassFile.of(
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.LineNumbersOption.DROP_LINE_NUMBERS,
            ClassFile.ConstantPoolSharingOption.NEW_POOL,
            ClassFile.ClassHierarchyResolverOption.of(resolver));
  }

  private @Nullable InputStream open(ClassDesc type) {
    String descriptor = type.descriptorString();
    if (!type.isClassOrInterface()) {
      return null;
    }
    String name = descriptor.substring(1, descriptor.length() - 1) + ".class";
    JarFile jar = classes.get(name);
    if (jar == null) {
      return null;
    }
    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new ByteArrayInputStream(in.readAllBytes());
    } catch (IOException e) {
      return null; // the other resolver is asked
    }
  }

  /// Writes a jar without these data. Signatures of signed jars go too, since they would not fit.
  public JarRow strip(Path from, Path to) throws IOException {
    long begin = System.nanoTime();
    int all = 0;
    int kept = 0;
    try (JarFile in = new JarFile(from.toFile(), false);
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
      Enumeration<JarEntry> entries = in.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        if (isSignature(entry.getName())) {
          continue;
        }
        byte[] bytes;
        try (InputStream data = in.getInputStream(entry)) {
          bytes = data.readAllBytes();
        }
        if (entry.getName().endsWith(".class")) {
          byte[] stripped = strip(bytes);
          all++;
          kept += stripped == null ? 1 : 0;
          bytes = stripped == null ? bytes : stripped;
        }
        JarEntry written = new JarEntry(entry.getName());
        written.setTime(entry.getTime());
        out.putNextEntry(written);
        out.write(bytes);
        out.closeEntry();
      }
    }
    return JarRow.of(from, to, all, kept, System.nanoTime() - begin);
  }

  private static boolean isSignature(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return upper.startsWith("META-INF/")
        && (upper.endsWith(".SF")
            || upper.endsWith(".RSA")
            || upper.endsWith(".DSA")
            || upper.endsWith(".EC"));
  }

  /// The class without these data; null if it cannot be written again.
  private byte @Nullable [] strip(byte[] bytes) {
    try {
      ClassModel model = format.parse(bytes);
      ClassTransform withoutNames =
          ClassTransform.dropping(element ->
              element instanceof SourceFileAttribute
                  || element instanceof SourceDebugExtensionAttribute);
      // Methods that are copied unchanged would keep their data.
      return format.transformClass(
          model,
          withoutNames.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    for (JarFile file : open) {
      file.close();
    }
  }
}
