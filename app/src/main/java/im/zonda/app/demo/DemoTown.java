package im.zonda.app.demo;

import im.zonda.app.demo.DemoCast.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Twenty people who enter and leave rooms, talk, and change their activities and tunes.
public final class DemoTown {
  /// Who looks around: the account for the one who started the demo.
  public static final String VISITOR = "visitor";

  /// Everyone's password.
  public static final String PASSWORD = "zonda";

  private static final Logger LOG = LoggerFactory.getLogger(DemoTown.class);
  private static final Duration PACE = Duration.ofMillis(1_500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration RETRY = Duration.ofMillis(200);

  private final int port;
  private final String domain;
  private final String rooms;
  private final RandomGenerator random;
  private final Consumer<String> progress;
  private final List<Person> people = new ArrayList<>();

  private final Map<DemoCast.Room, DemoTalk> talks = new HashMap<>();

  private record Person(Member member, DemoClient client, Set<DemoCast.Room> present) {}

  /// @param port of direct TLS
  /// @param domain the host
  /// @param rooms the domain of the rooms
  /// @param progress gets a line for each five people that have arrived
  public DemoTown(
      int port, String domain, String rooms, RandomGenerator random, Consumer<String> progress) {
    this.port = port;
    this.domain = domain;
    this.rooms = rooms;
    this.random = random;
    this.progress = progress;
  }

  /// The user names of all accounts.
  public static List<String> users() {
    return Stream.concat(DemoCast.PEOPLE.stream().map(Member::user), Stream.of(VISITOR)).toList();
  }

  /// Waits for the server, and lives until it stops or the thread is interrupted.
  public void live() {
    try (DemoClient visitor = arrive()) {
      for (Member member : DemoCast.PEOPLE) {
        visitor.send(contact(member));
        visitor.send("<presence type='subscribe' to='" + address(member) + "'/>");
      }
      settle();
      act(); // the contacts need a moment before the visitor leaves
    } catch (IOException e) {
      LOG.atError().setCause(e).log("demo_not_started");
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      people.getFirst().client.send(greeting());
      while (!people.isEmpty()) {
        act();
      }
    } catch (IOException e) {
      LOG.atError().setCause(e).log("demo_not_started");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The visitor's first client, which makes everyone a contact.
  private DemoClient arrive() throws IOException, InterruptedException {
    for (long waited = 0; ; waited += RETRY.toMillis()) {
      try {
        DemoClient visitor = DemoClient.connect(port, VISITOR, domain, PASSWORD);
        visitor.send("<presence/>");
        return visitor;
      } catch (IOException e) {
        if (waited > PATIENCE.toMillis()) {
          throw e;
        }
        Thread.sleep(RETRY); // the server may not listen yet
      }
    }
  }

  private void settle() throws IOException {
    for (Member member : DemoCast.PEOPLE) {
      DemoClient client = DemoClient.connect(port, member.user(), domain, PASSWORD);
      Person person = new Person(member, client, new HashSet<>());
      int number = people.size();
      people.add(person);
      client.send("<presence/>");
      client.send("<presence type='subscribe' to='" + VISITOR + "@" + domain + "'/>");
      client.send(
          "<iq type='set' id='card'><vCard xmlns='vcard-temp'><FN>"
              + DemoClient.text(member.name())
              + "</FN></vCard></iq>");
      client.send(DemoAvatar.publish(DemoAvatar.png(number))); // also becomes part of the card
      DemoCast.Room room = DemoCast.ROOMS.get(number % DemoCast.ROOMS.size());
      enter(person, room);
      if (number < DemoCast.ROOMS.size()) {
        client.send(configuration(room)); // the first occupant is the owner
      }
      if (people.size() % 5 == 0) {
        progress.accept(people.size() + " of " + DemoCast.PEOPLE.size() + " people are here");
      }
    }
    for (int i = 0; i < people.size(); i++) {
      enter(people.get(i), DemoCast.ROOMS.get((i + 2) % DemoCast.ROOMS.size()));
    }
  }

  private void enter(Person person, DemoCast.Room room) throws IOException {
    person.client.send(
        "<presence to='"
            + address(room)
            + "/"
            + person.member.nick()
            + "'><x xmlns='http://jabber.org/protocol/muc'><history"
            + " maxstanzas='0'/></x></presence>");
    person.present.add(room);
  }

  /// Configures a room that its first occupant has created (XEP-0045, section 10.1.3). The owner of
  /// an earlier demo repeats it.
  private String configuration(DemoCast.Room room) {
    return "<iq type='set' id='room' to='"
        + address(room)
        + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
        + "<x xmlns='jabber:x:data' type='submit'>"
        + field("FORM_TYPE", "http://jabber.org/protocol/muc#roomconfig")
        + field("muc#roomconfig_roomname", room.name())
        + field("muc#roomconfig_roomdesc", room.description())
        + field("muc#roomconfig_persistentroom", "1")
        + field("muc#roomconfig_publicroom", "1")
        + "</x></query></iq>";
  }

  private static String field(String name, String value) {
    return "<field var='" + name + "'><value>" + DemoClient.text(value) + "</value></field>";
  }

  /// Adds someone to the visitor's contacts, with name and group (RFC 6121, section 2.3).
  private String contact(Member member) {
    return "<iq type='set' id='contact'><query xmlns='jabber:iq:roster'><item jid='"
        + address(member)
        + "' name='"
        + DemoClient.text(member.name())
        + "'><group>"
        + member.group()
        + "</group></item></query></iq>";
  }

  private String greeting() {
    return "<message type='chat' id='greeting' to='"
        + VISITOR
        + "@"
        + domain
        + "'><body>Welcome! All of us are here to be looked at. Have a look into the rooms,"
        + " too.</body></message>";
  }

  private String address(Member member) {
    return member.user() + "@" + domain;
  }

  private String address(DemoCast.Room room) {
    return room.local() + "@" + rooms;
  }

  /// Has one person do something, after a while.
  private void act() throws InterruptedException {
    Thread.sleep(PACE); // so that people can read along
    Person person = pick(people);
    try {
      switch (random.nextInt(10)) {
        case 0 -> move(person);
        case 1 -> changePresence(person);
        case 2 -> listen(person);
        default -> talk(person);
      }
    } catch (IOException e) {
      person.client.close();
      people.remove(person);
    }
  }

  /// Has a conversation go on in a room in which the person is.
  private void talk(Person person) throws IOException {
    if (person.present.isEmpty()) {
      enter(person, pick(DemoCast.ROOMS));
      return;
    }
    DemoCast.Room room = pick(List.copyOf(person.present));
    List<Person> present = people.stream().filter(each -> each.present.contains(room)).toList();
    if (present.size() < 2) {
      return; // someone will come
    }
    DemoTalk.Line line =
        talks
            .computeIfAbsent(room, each -> new DemoTalk(each, random))
            .next(present.stream().map(Person::member).toList());
    DemoClient speaker =
        present.stream()
            .filter(each -> each.member.equals(line.speaker()))
            .findFirst()
            .orElse(person)
            .client;
    speaker.send(
        "<message type='groupchat' to='"
            + address(room)
            + "' id='"
            + Long.toHexString(random.nextLong())
            + "'><body>"
            + DemoClient.text(line.text())
            + "</body></message>");
  }

  private void move(Person person) throws IOException {
    DemoCast.Room room = pick(DemoCast.ROOMS);
    if (person.present.remove(room)) {
      person.client.send(
          "<presence type='unavailable' to='" + address(room) + "/" + person.member.nick() + "'/>");
    } else {
      enter(person, room);
    }
  }

  private void changePresence(Person person) throws IOException {
    String show = pick(List.of("", "<show>away</show>", "<show>dnd</show>", "<show>chat</show>"));
    String status = pick(DemoCast.STATUSES);
    person.client.send("<presence>" + show + "<status>" + status + "</status></presence>");
  }

  private void listen(Person person) throws IOException {
    String[] tune = pick(DemoCast.TUNES).split("/", 2);
    person.client.send(
        DemoAvatar.item(
            "http://jabber.org/protocol/tune",
            "current",
            "<tune xmlns='http://jabber.org/protocol/tune'><artist>"
                + DemoClient.text(tune[0])
                + "</artist><title>"
                + DemoClient.text(tune[1])
                + "</title></tune>"));
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
