package im.zonda.app.demo;

import java.util.List;

/// The people of the demo, their rooms, and what they talk about.
final class DemoCast {
  /// Someone.
  ///
  /// @param user the user name
  /// @param name the full name
  /// @param group the group among the visitor's contacts
  record Member(String user, String name, String group) {
    /// The nickname in rooms.
    String nick() {
      return name.split(" ", 2)[0];
    }
  }

  /// A room.
  ///
  /// @param talks what people talk about in it
  record Room(String local, String name, String description, List<Talk> talks) {}

  /// Two people talk in turns about one of some things.
  ///
  /// @param things of which `{0}` in the lines is one
  /// @param lines what they say; `{1}` is the name of the one who begins
  record Talk(List<String> things, List<String> lines) {}

  private static final String NEIGHBOURS = "Neighbours";
  private static final String ORCHESTRA = "Orchestra";
  private static final String WORK = "Work";

  /// The people.
  static final List<Member> PEOPLE =
      List.of(
          new Member("ada", "Ada Lindqvist", WORK),
          new Member("bela", "Béla Kovács", ORCHESTRA),
          new Member("chidi", "Chidi Eze", NEIGHBOURS),
          new Member("dora", "Dora Weiss", ORCHESTRA),
          new Member("emre", "Emre Aydın", WORK),
          new Member("farida", "Farida Rahimi", NEIGHBOURS),
          new Member("goran", "Goran Babić", ORCHESTRA),
          new Member("hana", "Hana Sato", WORK),
          new Member("ivo", "Ivo Marek", NEIGHBOURS),
          new Member("jana", "Jana Novotná", ORCHESTRA),
          new Member("kofi", "Kofi Mensah", WORK),
          new Member("lena", "Lena Fischer", NEIGHBOURS),
          new Member("mateo", "Mateo Silva", ORCHESTRA),
          new Member("nils", "Nils Berg", WORK),
          new Member("olga", "Olga Petrenko", NEIGHBOURS),
          new Member("pau", "Pau Ferrer", ORCHESTRA),
          new Member("rosa", "Rosa Conti", NEIGHBOURS),
          new Member("sven", "Sven Dahl", WORK),
          new Member("tariq", "Tariq Haddad", NEIGHBOURS),
          new Member("uma", "Uma Nair", WORK));

  /// What people do.
  static final List<String> STATUSES =
      List.of(
          "on the train",
          "in the garden",
          "reading",
          "back at five",
          "making tea",
          "at the desk",
          "listening",
          "out for a walk");

  /// What people listen to: artist and title.
  static final List<String> TUNES =
      List.of(
          "Clara Schumann/Piano Trio in G minor",
          "Erik Satie/Gymnopédie No. 1",
          "Scott Joplin/Maple Leaf Rag",
          "Francisco Tárrega/Recuerdos de la Alhambra",
          "Lili Boulanger/Nocturne");

  private static final List<String> DAYS =
      List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");

  private static final List<String> PLANTS =
      List.of(
          "beans",
          "tomatoes",
          "courgettes",
          "radishes",
          "sweet peas",
          "sunflowers",
          "leeks",
          "strawberries",
          "peppers",
          "marigolds");

  private static final List<String> DISHES =
      List.of(
          "lentil soup",
          "pea risotto",
          "mushroom pie",
          "fish stew",
          "dumplings",
          "apple cake",
          "flatbread",
          "pumpkin curry",
          "plum jam",
          "onion tart");

  private static final List<String> PIECES =
      List.of(
          "the waltz",
          "the slow movement",
          "the overture",
          "the tango",
          "the march",
          "the serenade",
          "the finale",
          "the minuet");

  private static final List<String> THINGS =
      List.of(
          "a ladder",
          "a drill",
          "a tent",
          "two folding chairs",
          "a bicycle pump",
          "a big pot",
          "an extension lead",
          "a wheelbarrow",
          "a projector");

  /// The rooms.
  static final List<Room> ROOMS =
      List.of(
          new Room(
              "lounge",
              "The lounge",
              "For everyone, about everything",
              List.of(
                  new Talk(
                      THINGS,
                      List.of(
                          "Could someone lend me {0} for the weekend?",
                          "I have one, {1}. Shall I bring it round?",
                          "That would be very kind. I am at home after six.",
                          "Then see you at half past.")),
                  new Talk(
                      DAYS,
                      List.of(
                          "Who is coming to the film night on {0}?",
                          "Which film is it?",
                          "The one about the lighthouse, with subtitles.",
                          "Count me in, and I bring two friends.")),
                  new Talk(
                      List.of("library", "swimming pool", "market hall", "museum", "old bridge"),
                      List.of(
                          "Does anyone know whether the {0} is open again?",
                          "Since last week, {1}. It was worth the wait.",
                          "Good, then I know what to do tomorrow.")),
                  new Talk(
                      List.of("grey cat", "green umbrella", "blue scarf", "small dog", "red glove"),
                      List.of(
                          "I have found a {0} in front of number twelve. Whose is it?",
                          "It sounds like Rosa's. I will ask her.",
                          "Thank you! It is safe in my kitchen.")))),
          new Room(
              "garden",
              "Garden and balcony",
              "Seeds, weather and patience",
              List.of(
                  new Talk(
                      PLANTS,
                      List.of(
                          "My {0} are up, ten days early.",
                          "Mine are hiding. How warm is it at your place, {1}?",
                          "They stand at the south wall, that helps.")),
                  new Talk(
                      PLANTS,
                      List.of(
                          "I have too many {0}. Who wants some?",
                          "I do, if you take honey in return.",
                          "What a question. Come by on Saturday.")),
                  new Talk(
                      PLANTS,
                      List.of(
                          "Something eats my {0} at night.",
                          "Snails. Go out with a lamp after the rain.",
                          "I did, and counted forty-one.",
                          "Then you need a hedgehog, {1}.")),
                  new Talk(
                      DAYS,
                      List.of(
                          "They say there will be frost on {0}.",
                          "Then I take the pots inside tonight.")))),
          new Room(
              "kitchen",
              "Kitchen",
              "Recipes, and what became of them",
              List.of(
                  new Talk(
                      DISHES,
                      List.of(
                          "Tonight: {0}. Which side dish?",
                          "Something sour. Pickled beetroot, for example.",
                          "I had not thought of that. Thank you!")),
                  new Talk(
                      DISHES,
                      List.of(
                          "How long do you cook {0} for eight people?",
                          "As long as for two, {1}, in a larger pot.",
                          "I knew that you would say so.")),
                  new Talk(
                      DISHES,
                      List.of(
                          "My {0} did not become what I had hoped for.",
                          "What happened, {1}?",
                          "The telephone happened.",
                          "It will be better tomorrow. It always is.")))),
          new Room(
              "music",
              "Music",
              "What we play and what we hear",
              List.of(
                  new Talk(
                      PIECES,
                      List.of(
                          "Could we play {0} a little slower next time?",
                          "Gladly. My fingers said the same, {1}.",
                          "Then let us try it at eighty.")),
                  new Talk(
                      DAYS,
                      List.of(
                          "Is there a rehearsal on {0}?",
                          "Yes, at seven, in the school. Bring a stand.", "I will bring two.")),
                  new Talk(
                      PIECES,
                      List.of(
                          "I have been humming {0} all day.",
                          "So has everyone in my house, {1}, and it is your fault.")),
                  new Talk(
                      List.of("cello", "second violin", "clarinet", "double bass", "oboe"),
                      List.of(
                          "We are looking for a {0} for the concert in June.",
                          "My cousin plays. Shall I ask?", "Please do!")))),
          new Room(
              "help",
              "Help desk",
              "Questions about this server and about clients",
              List.of(
                  new Talk(
                      List.of("picture", "name", "password"),
                      List.of(
                          "How do I change my {0}?",
                          "Click on your name, {1}. It is all in that menu.",
                          "Found it, thank you!")),
                  new Talk(
                      List.of("telephone", "laptop", "old tablet"),
                      List.of(
                          "Can I use the same account on my {0}, too?",
                          "Yes, at the same time. All of them get every message.",
                          "And what I send?",
                          "That is on all of them, too.")),
                  new Talk(
                      List.of("photos", "a document", "a recording"),
                      List.of(
                          "How can I send {0}?",
                          "With the paper clip below the conversation.", "That was easy.")))));

  private DemoCast() {}
}
