// Prints docs/commands.md from the help of each command on a terminal of 80 columns: "npm run docs".
process.env.IMGSTORE_PROGRAM = 'imgstore';
const { helpPages } = await import('../dist/testkit/help-pages.js');

const columns = 80;
const pages = (await helpPages(columns)).map(
  ({ words, text }) =>
    `## imgstore ${words.join(' ').replace(/ ?--help$/, '')}`.trimEnd() +
    `\n\n\`\`\`\n$ ${['imgstore', ...words].join(' ')}\n${text}\`\`\`\n`,
);

process.stdout.write(`# Commands

The output of every command with \`--help\`, on a terminal of ${columns} columns. In a clone, the command is \`bin/imgstore\`.

${pages.join('\n')}`);
