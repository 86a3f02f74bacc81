package im.zonda.study.jar;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.study.statistics.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarStripperTest {
  private static final String NAME = Samples.class.getName().replace('.', '/') + ".class";

  @TempDir private Path folder = Path.of("");

  @Test
  void debugDataGoAndTheClassStillWorks() throws Exception {
    Path jar = folder.resolve("a.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = Samples.class.getResourceAsStream("Samples.class")) {
      assertThat(in).isNotNull();
      out.putNextEntry(new JarEntry(NAME));
      out.write(in.readAllBytes());
      out.closeEntry();
      out.putNextEntry(new JarEntry("META-INF/KEY.SF"));
      out.closeEntry();
    }
    Path stripped = Files.createDirectory(folder.resolve("out")).resolve("a.jar");

    JarRow row;
    try (JarStripper stripper = new JarStripper(List.of(jar))) {
      row = stripper.strip(jar, stripped);
    }

    assertThat(row.classes()).isEqualTo(1);
    assertThat(row.kept()).isZero();
    assertThat(hasDebugData(jar)).isTrue();
    assertThat(hasDebugData(stripped)).isFalse();
    try (JarFile file = new JarFile(stripped.toFile())) {
      assertThat(file.getEntry("META-INF/KEY.SF")).isNull();
    }
    assertThat(average(stripped)).isEqualTo(2.0);
  }

  private static boolean hasDebugData(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile());
        InputStream in = file.getInputStream(file.getEntry(NAME))) {
      ClassModel model = ClassFile.of().parse(in.readAllBytes());
      boolean ofMethods =
          model.methods().stream()
              .flatMap(method -> method.code().stream())
              .anyMatch(code ->
                  code.findAttribute(Attributes.lineNumberTable()).isPresent()
                      || code.findAttribute(Attributes.localVariableTable()).isPresent());
      return ofMethods || model.findAttribute(Attributes.sourceFile()).isPresent();
    }
  }

  private static Object average(Path jar) throws Exception {
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, platform)) {
      Class<?> type = loader.loadClass(Samples.class.getName());
      Object samples =
          type.getConstructor(double[].class).newInstance((Object) new double[] {1, 3});
      return type.getMethod("average").invoke(samples);
    }
  }
}
