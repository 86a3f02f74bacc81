package im.zonda.plugins.generator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Names of people, in an order that follows from the seed.
///
/// People who are near each other in that order have few given and family names, in the order of
/// the alphabet: the index of a database takes neighbours far faster than strangers.
final class Names {
  /// How many people have the same few names: 8 given names and 20 family names.
  static final int NEAR = 160;

  private static final int GIVEN = 8;
  private static final int FAMILY = 20;
  private static final List<String> ALL_GIVEN = read("given.txt");
  private static final List<String> ALL_FAMILY = read("family.txt");

  private final int[] given;
  private final int[] family;

  Names(Randomness random) {
    given = order(ALL_GIVEN.size(), GIVEN, random, 1);
    family = order(ALL_FAMILY.size(), FAMILY, random, 2);
  }

  /// A name.
  ///
  /// @param given the given name
  /// @param family the family name
  /// @param number how many people before have the same name
  record Name(String given, String family, int number) {
    /// The name as people write it.
    String full() {
      return given + " " + family;
    }

    /// The local part of an address: letters from a to z, a full stop, perhaps a number.
    String local() {
      return plain(given) + "." + plain(family) + (number == 0 ? "" : number + 1);
    }

    private static String plain(String name) {
      return Normalizer.normalize(name.replace('ø', 'o'), Normalizer.Form.NFD)
          .replaceAll("\\p{M}", "")
          .toLowerCase(Locale.ROOT);
    }
  }

  private static List<String> read(String file) {
    try (InputStream in = Names.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + file + " in the jar");
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      return lines.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Numbers from 0 on, in shuffled groups; those of a group are in order.
  private static int[] order(int size, int group, Randomness random, int about) {
    int[] order = new int[size];
    Arrays.setAll(order, i -> i);
    random.shuffle(order, about, 0);
    for (int from = 0; from < size; from += group) {
      Arrays.sort(order, from, Math.min(size, from + group));
    }
    return order;
  }

  /// How many different names there are.
  static int size() {
    return ALL_GIVEN.size() * ALL_FAMILY.size();
  }

  /// The name of a person.
  ///
  /// @param index from 0 on
  Name of(int index) {
    int within = index % size();
    int groups = ALL_FAMILY.size() / FAMILY;
    int group = within / NEAR;
    int place = within % NEAR;
    return new Name(
        ALL_GIVEN.get(given[group / groups * GIVEN + place / FAMILY]),
        ALL_FAMILY.get(family[group % groups * FAMILY + place % FAMILY]),
        index / size());
  }
}
