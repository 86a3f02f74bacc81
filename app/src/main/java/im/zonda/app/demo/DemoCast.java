package im.zonda.app.demo;

import java.util.List;

/// The people of the demo, their rooms, and their sentences.
final class DemoCast {
  /// A room.
  ///
  /// @param lines what people say in it
  record Room(String local, String name, String description, List<String> lines) {}

  /// The user names, which with a capital are the nicknames.
  static final List<String> PEOPLE =
      List.of(
          "ada", "bela", "chidi", "dora", "emre", "farida", "goran", "hana", "ivo", "jana", "kofi",
          "lena", "mateo", "nils", "olga", "pau", "rosa", "sven", "tariq", "uma");

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

  /// The rooms.
  static final List<Room> ROOMS =
      List.of(
          new Room(
              "lounge",
              "The lounge",
              "For everyone, about everything",
              List.of(
                  "Good morning, all!",
                  "Has anyone seen the new map of the old town?",
                  "I am back from the market. Far too many apples.",
                  "Rain again. The wind is from the west today.",
                  "Shall we meet at six?",
                  "Six is fine for me.",
                  "I will be late, start without me.",
                  "Who has the key to the hall?")),
          new Room(
              "garden",
              "Garden and balcony",
              "Seeds, weather and patience",
              List.of(
                  "The beans are up, ten days early.",
                  "Does anyone have tomato seedlings to spare?",
                  "I have six. Come by on Saturday.",
                  "Snails. Everywhere.",
                  "A hedgehog lives under our shed now.",
                  "How deep do you plant garlic?",
                  "Three centimetres is enough.")),
          new Room(
              "kitchen",
              "Kitchen",
              "Recipes, and what became of them",
              List.of(
                  "Tonight: lentils with lemon.",
                  "My bread did not rise. Again.",
                  "Is your yeast still good? Try it with a little sugar.",
                  "Salt the water for the pasta like the sea.",
                  "I need a cake without eggs for tomorrow.",
                  "Mashed banana works.",
                  "The soup was better the next day.")),
          new Room(
              "music",
              "Music",
              "What we play and what we hear",
              List.of(
                  "New strings on the cello. What a difference.",
                  "Rehearsal on Thursday at seven.",
                  "Could someone bring the stands?",
                  "I keep humming that waltz.",
                  "The second movement is too fast for me.",
                  "Then we play it slower.")),
          new Room(
              "help",
              "Help desk",
              "Questions about this server and about clients",
              List.of(
                  "How do I change my picture?",
                  "In your profile: choose a file, that is all.",
                  "Can I be in a room with two devices?",
                  "Yes, with the same nickname.",
                  "Where do I find rooms?",
                  "On the start page of the server, and in your client.",
                  "Thank you!")));

  private DemoCast() {}

  /// The nickname of a user.
  static String nick(String user) {
    return Character.toUpperCase(user.charAt(0)) + user.substring(1);
  }
}
