// Tours: a text, what is lit, and what the page does first.  Sentences for somebody who has never heard of POMDPs.
export const tours = [
  {
    name: "Tiger, with a price",
    text: "Two doors, a tiger behind one. When is it worth paying to know?",
    steps: [
      { at: ".belief", do: (page) => page.open({ spec: "tiger" }, { cost: 12, seed: 3 }), text: "A tiger waits behind one of two doors, gold behind the other. You do not know which. So both are equally likely: 50 % each. That is your belief." },
      { at: ".decision", text: "You may open a door. You may listen first: it costs 1, and you hear right 85 % of the time. Or you may pay a price and be told. Each bar shows what a choice is worth: at least its left end, at most its right end." },
      { at: ".decision", text: "Being told costs 12 now, and the planner would rather listen (✓). It has proved that every other choice is worse: those are struck through." },
      { at: ".belief", do: (page) => page.step(), text: "It listened and heard the tiger on one side. Now that side is more likely, but not certain. So it will listen again." },
      { at: ".price", do: (page) => page.price(5), text: "The same again from the start, but being told costs only 5. The planner thinks anew, and asks. The dashed line is the break-even price, a little above 9: below it, asking pays." },
      { at: ".price", text: "Move the slider yourself and watch the decision change. That is the idea of glimpse: knowing has a price, and the planner knows when to pay it." },
    ],
  },
  {
    name: "The robot that delivers",
    text: "A robot fetches packages in rooms it can hardly see.",
    steps: [
      { at: ".world", do: (page) => page.open({ spec: "robot-delivery:n=3" }, { seed: 2 }), text: "The robot R has to fetch the package P and bring it to D. Its moves sometimes fail, and all it sees is how many walls are around it." },
      { at: ".belief", text: "So it does not know which corridor the package is in: all three are equally likely. The darker a cell, the more likely." },
      { at: ".bounds", text: "Here you see it think. It follows possible futures, one after the other. What its plan is worth lies between the two lines, and they close as it learns more." },
      { at: ".bar", see: ".world", do: (page) => page.run(3), text: "Let it go some steps. Each ? on the timeline is a moment at which it paid to be told where everything is." },
      { at: ".plan", do: (page) => page.pause(), text: "This is its plan from here, from top to bottom: what it does, what it may see then, and what it does next. Orange means asking. Click a box to see what follows." },
      { at: ".decision", text: "Now you decide. Click any choice: the page tells you what it costs compared with the best one. Then press Run, and the planner makes the best of it." },
    ],
  },
  {
    name: "A lake, walked blind",
    text: "Ice, holes, and eyes closed. How often must one look?",
    steps: [
      { at: ".world", do: (page) => page.open({ spec: "frozen-lake:size=8" }, { seed: 5, cost: 0.01 }), text: "A frozen lake. You start at S and want to reach G. An H is a hole: falling in ends it. The ice is slippery, so a step may carry you one cell too far." },
      { at: ".belief", text: "And your eyes are closed: you feel ice below you, nothing else. Opening them for a moment costs 0.01; reaching the goal pays 1." },
      { at: ".bar", see: ".belief", do: (page) => page.run(3), text: "The first steps are blind. Look at the belief: it spreads over all the cells where you may be by now." },
      { at: ".belief", do: (page) => page.toRequest(30), text: "Before a step that could be dangerous, the planner opens its eyes: the belief shrinks to one cell. Then it walks on blind. It looks rarely, but where it matters." },
      { at: ".price", do: (page) => page.pause(), text: "Move the slider to make looking dearer: it looks less often and takes safer ways. Make it cheap, and it looks before every risk." },
    ],
  },
];
