// A reaction from the archive is an update of the message it is for, to which converse.js 14 then
// gives the time of the reaction: the message would move to another place.
export function keepPlaces(api) {
  api.listen.on('getUpdatedMessageAttributes', (message, changed, received) => {
    if (received.reaction_to_id) {
      const { time, ...others } = changed;
      return others;
    }
    return changed;
  });
}
