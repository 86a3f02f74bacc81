package im.zonda.plugins.generator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Graph of contacts, without directions: a ring of all people, and clusters of people with the
/// same interest. Everyone has the same number of contacts, except that one person has one fewer if
/// both numbers are odd. Not thread-safe.
///
/// A cluster consists of people who follow each other in the order of their numbers, so that most
/// contacts of people who are created at once are among them.
final class FriendGraph {
  private static final int MEMBERS = 3;
  private static final int OFFSETS = 4;

  private final Randomness random;
  private final int people;
  private final int each;
  private final int ring;
  private final int usual;
  private final @Nullable Cluster[] clusters;

  /// @param wanted how many contacts everyone should have; fewer if there are too few people
  FriendGraph(Randomness random, int people, int wanted) {
    this.random = random;
    this.people = people;
    each = Math.min(wanted, people - 1);
    ring = each < 2 ? 0 : Math.max(2, each / 8 * 2);
    usual = (2 * each + Names.NEAR) / Names.NEAR * Names.NEAR;
    clusters = new Cluster[Math.max(1, people / usual)];
  }

  /// The people of a cluster.
  ///
  /// @param start the first one
  /// @param members their numbers from the start, in the order of the cluster and of the ring
  /// @param places the place in that order of each of them
  /// @param offsets how far contacts are apart in that order
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Cluster(int start, int[] members, int[] places, int[] offsets) {
    int size() {
      return members.length;
    }

    int at(int place) {
      return start + members[Math.floorMod(place, members.length)];
    }
  }

  /// How many contacts everyone has.
  int contactsOfEach() {
    return each;
  }

  /// How many of the contacts of a person come from the ring: they are the first ones, and the
  /// first two of them are the neighbours.
  int ring() {
    return ring;
  }

  /// The contacts of a person.
  int[] contacts(int person) {
    Cluster own = clusterOf(person);
    int place = own.places[person - own.start];
    int[] contacts = new int[each];
    int count = 0;
    for (int distance = 1; distance <= ring / 2; distance++) {
      contacts[count++] = onRing(own.start + place + distance);
      contacts[count++] = onRing(own.start + place - distance);
    }
    for (int offset : own.offsets) {
      contacts[count++] = own.at(place + offset);
      contacts[count++] = own.at(place - offset);
    }
    int half = own.size() / 2;
    if (count < each && place < 2 * half) {
      contacts[count++] = own.at(place < half ? place + half : place - half);
    }
    return count == each ? contacts : Arrays.copyOf(contacts, count);
  }

  private int onRing(int place) {
    int around = Math.floorMod(place, people);
    Cluster cluster = clusterOf(around);
    return cluster.at(around - cluster.start);
  }

  private Cluster clusterOf(int person) {
    int number = Math.min(person / usual, clusters.length - 1);
    Cluster cluster = clusters[number];
    if (cluster == null) {
      cluster = make(number);
      clusters[number] = cluster;
    }
    return cluster;
  }

  private Cluster make(int number) {
    int start = number * usual;
    int size = number == clusters.length - 1 ? people - start : usual;
    int[] members = new int[size];
    Arrays.setAll(members, i -> i);
    random.shuffle(members, MEMBERS, number);
    int[] places = new int[size];
    for (int i = 0; i < size; i++) {
      places[members[i]] = i;
    }
    return new Cluster(start, members, places, offsets(number, size));
  }

  /// Offsets that give two contacts each, and none that the ring gives already. Half the way round
  /// there is only one contact, for an odd number of them.
  private int[] offsets(int number, int size) {
    int wanted = each - ring;
    int first = ring / 2 + 1;
    int last = wanted % 2 == 0 ? (size - 1) / 2 : size / 2 - 1;
    int[] possible = new int[Math.max(0, last - first + 1)];
    Arrays.setAll(possible, i -> first + i);
    random.shuffle(possible, OFFSETS, number);
    return Arrays.copyOf(possible, wanted / 2);
  }
}
