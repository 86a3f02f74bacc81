package im.zonda.plugins.generator;

import im.zonda.jid.Jid;
import im.zonda.plugin.NewAccount;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// The people of a run: all of what is known of them follows from its parameters. Not thread-safe.
final class Population {
  private static final String VCARD = "vcard-temp";
  private static final int MAIL = 5;
  private static final int JOB = 6;
  private static final int GROUP = 7;
  private static final int NICK = 8;
  private static final int KEPT = 4_096;

  private static final List<String> DOMAINS =
      List.of("example.com", "example.net", "mail.example.org");
  private static final List<String> JOBS =
      List.of(
          "Accountant",
          "Architect",
          "Baker",
          "Bookseller",
          "Carpenter",
          "Chemist",
          "Designer",
          "Doctor",
          "Driver",
          "Editor",
          "Electrician",
          "Engineer",
          "Gardener",
          "Journalist",
          "Lawyer",
          "Librarian",
          "Musician",
          "Nurse",
          "Photographer",
          "Pilot",
          "Programmer",
          "Researcher",
          "Teacher",
          "Translator");

  private final Run run;
  private final Randomness random;
  private final Names names;
  private final FriendGraph graph;

  /// People who were asked for recently, each at the remainder of its number.
  private final @Nullable Person[] recent = new Person[KEPT];

  Population(Run run) {
    this.run = run;
    random = new Randomness(run.seed());
    names = new Names(random);
    graph = new FriendGraph(random, run.count(), run.contacts());
  }

  /// A person.
  ///
  /// @param index the number of the person, from 0 on
  record Person(int index, Names.Name name, Jid address) {}

  /// A person.
  Person person(int index) {
    Person found = recent[index % KEPT];
    if (found == null || found.index != index) {
      Names.Name name = names.of(index);
      String local = run.numbered() ? Integer.toString(index) : name.local();
      found = new Person(index, name, Jid.of(run.prefix() + local, run.host(), null));
      recent[index % KEPT] = found;
    }
    return found;
  }

  /// The contacts of a person, by their numbers.
  int[] contacts(int index) {
    return graph.contacts(index);
  }

  /// The account of a person.
  ///
  /// @param left those who have none of the run, and so are no contacts
  NewAccount account(int index, String password, IntPredicate left) {
    Person person = person(index);
    int[] friends = graph.contacts(index);
    List<NewAccount.Contact> contacts = new ArrayList<>(friends.length);
    for (int i = 0; i < friends.length; i++) {
      if (!left.test(friends[i])) {
        Person friend = person(friends[i]);
        contacts.add(
            new NewAccount.Contact(
                friend.address(), friend.name().full(), groups(index, friends[i], i)));
      }
    }
    return new NewAccount(
        person.address(), password, contacts, run.vcards() ? vcard(person) : null, run.mark());
  }

  /// The group of a contact, the same on both sides: neighbours on the ring are in the last one.
  private Set<String> groups(int one, int other, int place) {
    List<String> groups = run.groups();
    if (groups.isEmpty()) {
      return Set.of();
    }
    if (place < 2 && place < graph.ring()) {
      return Set.of(groups.getLast());
    }
    long pair = (long) Math.min(one, other) * run.count() + Math.max(one, other);
    return Set.of(random.oneOf(groups, GROUP, pair));
  }

  private Element vcard(Person person) {
    Names.Name name = person.name();
    String local = String.valueOf(person.address().local());
    int short3 = Math.min(name.given().length(), 3);
    return Element.builder(VCARD, "vCard")
        .child("FN", name.full())
        .child(
            Element.builder(VCARD, "N")
                .child("FAMILY", name.family())
                .child("GIVEN", name.given())
                .build())
        .child(
            "NICKNAME",
            name.given().substring(0, short3) + (10 + random.below(90, NICK, person.index())))
        .child(
            Element.builder(VCARD, "EMAIL")
                .child(Element.builder(VCARD, "INTERNET").build())
                .child("USERID", local + "@" + random.oneOf(DOMAINS, MAIL, person.index()))
                .build())
        .child("TITLE", random.oneOf(JOBS, JOB, person.index()))
        .build();
  }
}
