package im.zonda.app.compliance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Which parts of the program implement which XEPs: the file `xeps.txt`, which is generated from
/// the [im.zonda.module.Xep] annotations.
///
/// @param places by the number of a XEP: names of modules, or of packages that are none
record ImplementedXeps(Map<Integer, Set<String>> places) {
  /// Reads the file.
  static ImplementedXeps read() {
    Map<Integer, Set<String>> places = new HashMap<>();
    try (InputStream in = ImplementedXeps.class.getResourceAsStream("xeps.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      String line;
      while ((line = lines.readLine()) != null) {
        String[] words = line.split(" ", 2);
        places.computeIfAbsent(Integer.valueOf(words[0]), missing -> new HashSet<>()).add(words[1]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ImplementedXeps(places);
  }

  /// The parts that implement a XEP; empty if none does.
  Set<String> of(int number) {
    return places.getOrDefault(number, Set.of());
  }
}
